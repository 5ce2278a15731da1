import { Option } from "effect"
import type { GuildMember } from "../guild/GuildMember.ts"
import { codePointLength } from "../shared-kernel/CodePointLength.ts"
import * as Snowflake from "../shared-kernel/Snowflake.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"
import { isWordStart, normalise, terms } from "./MemberText.ts"

/*
 * The specification of member search (API gaps, Member search): which members match, and in which order. It is
 * deliberately slow and simple; tests compare all other implementations with it.
 */

/** How well a field matches the whole query, best first. */
const FIT = { equal: 0, prefix: 1, wordPrefix: 2, inside: 3, scatteredTerms: 4 } as const

/** The fields that the query is matched against, best first. */
const FIELD = { userId: 0, username: 1, globalName: 2, nickname: 3 } as const

/** The rank of a member: compared number by number, smaller is better. */
export type Relevance = readonly [fit: number, field: number, length: number]

interface Field {
  readonly rank: number
  readonly text: string
}

const textFields = (member: GuildMember): ReadonlyArray<Field> =>
  [
    { rank: FIELD.username, text: Option.some(member.username) },
    { rank: FIELD.globalName, text: member.globalName },
    { rank: FIELD.nickname, text: member.nickname }
  ].flatMap(({ rank, text }) => Option.isSome(text) ? [{ rank, text: normalise(text.value) }] : [])

const occursAtWordStart = (text: string, query: string): boolean => {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1)) {
    if (isWordStart(text, at)) return true
  }
  return false
}

const fitOf = (text: string, query: string): number => {
  if (text === query) return FIT.equal
  if (text.startsWith(query)) return FIT.prefix
  if (occursAtWordStart(text, query)) return FIT.wordPrefix
  return text.includes(query) ? FIT.inside : FIT.scatteredTerms
}

const compareRelevance = (self: Relevance, that: Relevance): number =>
  self[0] - that[0] || self[1] - that[1] || self[2] - that[2]

/**
 * Returns the rank of the member; none if the text does not match. Every term must occur in at least one field. A query
 * that equals the member's user id matches as well. The rank is that of the best field in which the query or at least
 * one term occurs: by fit, then by field, then by length in code points.
 */
export const relevance = (member: GuildMember, text: string): Option.Option<Relevance> => {
  const query = normalise(text)
  if (query === String(member.userId)) return Option.some([FIT.equal, FIELD.userId, query.length])
  const all = terms(query)
  const fields = textFields(member)
  if (!all.every((term) => fields.some((field) => field.text.includes(term)))) return Option.none()
  const ranked = fields
    .filter((field) => all.some((term) => field.text.includes(term)))
    .map((field): Relevance => [fitOf(field.text, query), field.rank, codePointLength(field.text)])
    .sort(compareRelevance)
  return Option.fromNullable(ranked[0])
}

const within = (value: number, gte: Option.Option<number>, lte: Option.Option<number>): boolean =>
  Option.match(gte, { onNone: () => true, onSome: (bound) => value >= bound }) &&
  Option.match(lte, { onNone: () => true, onSome: (bound) => value <= bound })

const anyOf = <A>(wanted: ReadonlyArray<A>, value: Option.Option<A>): boolean =>
  wanted.length === 0 || Option.exists(value, (present) => wanted.includes(present))

/** Returns when the member's account was created, in whole Unix seconds. */
export const userCreatedAt = (member: GuildMember, epoch: number): number =>
  Math.floor(Snowflake.createdAtMillis(member.userId, epoch) / 1000)

/** Returns whether the text of the query is blank, so that it matches all members. */
export const isBlank = (query: MemberQuery): boolean => normalise(query.text) === ""

/** Returns whether the member matches the text and all filters of the query. */
export const matches = (member: GuildMember, query: MemberQuery, epoch: number): boolean =>
  query.roleIds.every((role) => member.roleIds.includes(role)) &&
  within(member.joinedAt, query.joinedAtGte, query.joinedAtLte) &&
  anyOf(query.joinSourceTypes, member.joinSourceType) &&
  anyOf(query.sourceInviteCodes, member.sourceInviteCode) &&
  Option.match(query.isBot, { onNone: () => true, onSome: (bot) => member.isBot === bot }) &&
  within(userCreatedAt(member, epoch), query.userCreatedAtGte, query.userCreatedAtLte) &&
  (isBlank(query) || Option.isSome(relevance(member, query.text)))

const byJoinedAt = (self: GuildMember, that: GuildMember): number =>
  self.joinedAt - that.joinedAt || Snowflake.compare(self.userId, that.userId)

/** Returns the requested page and the number of all members that match. */
export const search = (members: ReadonlyArray<GuildMember>, query: MemberQuery, epoch: number): MemberPage => {
  const found = members.filter((member) => matches(member, query, epoch))
  const ordered = query.sortBy === "relevance" && !isBlank(query)
    ? byRelevance(found, query)
    : found.sort((self, that) => query.sortOrder === "asc" ? byJoinedAt(self, that) : byJoinedAt(that, self))
  return {
    members: ordered.slice(query.offset, query.offset + query.limit),
    total: found.length,
    indexing: false
  }
}

/** Orders by relevance. `desc` is best first, ties by smaller user id; `asc` is the exact reverse. */
const byRelevance = (found: ReadonlyArray<GuildMember>, query: MemberQuery): ReadonlyArray<GuildMember> => {
  const bestFirst = found
    .flatMap((member) => Option.toArray(Option.map(relevance(member, query.text), (rank) => ({ member, rank }))))
    .sort((self, that) =>
      compareRelevance(self.rank, that.rank) || Snowflake.compare(self.member.userId, that.member.userId)
    )
    .map(({ member }) => member)
  return query.sortOrder === "desc" ? bestFirst : bestFirst.reverse()
}
