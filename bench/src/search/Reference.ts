import { isBlank } from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { isWordStart, normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { Option } from "effect"
import type { CommunityMember } from "./community/Community.ts"
import * as MemberColumns from "./MemberColumns.ts"
import type { Found } from "./SearchSubject.ts"

/**
 * Finds what `MemberMatch.search` finds, but fast enough for a million members: scans columns, has all texts in one long
 * string, and sorts only the ranks that reach the page. `Agreement` checks it against the specification itself.
 */
export interface Reference {
  /** How many match. */
  readonly count: (query: MemberQuery) => number
  readonly search: (query: MemberQuery) => Found
}

/** Whether the member at that index matches. */
type Condition = (index: number) => boolean

const whenGiven = <A>(bound: Option.Option<A>, condition: (bound: A) => Condition): ReadonlyArray<Condition> =>
  Option.toArray(Option.map(bound, condition))

/** No condition without wanted values; an unknown value matches no member. */
const anyOf = (wanted: ReadonlyArray<number | undefined>, column: ArrayLike<number>): ReadonlyArray<Condition> =>
  wanted.length === 0 ? [] : [(index) => wanted.includes(column[index])]

/** The conditions except text and the time of joining. Queries of the benchmark are not ids of users. */
const filters = (columns: MemberColumns.MemberColumns, query: MemberQuery): ReadonlyArray<Condition> => [
  ...query.roleIds.map((role): Condition => {
    const holders = columns.roles.get(role)
    return (index) => holders?.[index] === 1
  }),
  ...anyOf(query.joinSourceTypes, columns.joinSourceType),
  ...anyOf(query.sourceInviteCodes.map((code) => columns.inviteCodes.get(code)), columns.inviteCode),
  ...whenGiven(query.isBot, (bot) => (index) => columns.isBot[index] === (bot ? 1 : 0)),
  ...whenGiven(query.userCreatedAtGte, (bound) => (index) => (columns.createdAt[index] ?? 0) >= bound),
  ...whenGiven(query.userCreatedAtLte, (bound) => (index) => (columns.createdAt[index] ?? 0) <= bound)
]

/** How well the text fits the whole query, as in the specification; 0 is best. */
const fitOf = (text: string, query: string): number => {
  if (text === query) return 0
  if (text.startsWith(query)) return 1
  let at = text.indexOf(query)
  if (at === -1) return 4
  for (; at !== -1; at = text.indexOf(query, at + 1)) {
    if (isWordStart(text, at)) return 2
  }
  return 3
}

/** The rank of the member's best field as one number, smaller is better: fit, then field, then length. */
const rankOf = (member: CommunityMember, query: string, all: ReadonlyArray<string>): number => {
  const rankIn = (text: string | undefined, field: number) =>
    text !== undefined && all.some((term) => text.includes(term))
      ? (fitOf(text, query) * 10 + field) * 10_000 + codePointLength(text)
      : Number.POSITIVE_INFINITY
  return Math.min(rankIn(member.usernameText, 0), rankIn(member.globalNameText, 1), rankIn(member.nicknameText, 2))
}

/** The members up to the end of the page, best first. Sorts only the members of the ranks that reach the page. */
const bestFirst = (
  members: ReadonlyArray<CommunityMember>,
  found: ReadonlyArray<number>,
  query: MemberQuery
): ReadonlyArray<CommunityMember> => {
  const text = normalise(query.text)
  const all = terms(text)
  const byRank = new Map<number, Array<CommunityMember>>()
  for (const index of found) {
    const member = members[index]
    if (member === undefined) continue
    const rank = rankOf(member, text, all)
    const same = byRank.get(rank)
    if (same === undefined) byRank.set(rank, [member])
    else same.push(member)
  }
  const sign = query.sortOrder === "desc" ? 1 : -1
  const best: Array<CommunityMember> = []
  for (const [, same] of Array.from(byRank).sort(([self], [that]) => sign * (self - that))) {
    if (best.length >= query.offset + query.limit) break
    for (const member of same.sort((self, that) => sign * Snowflake.compare(self.userId, that.userId))) {
      best.push(member)
    }
  }
  return best
}

/** The index of the first that is at least as large. */
const firstSince = (sorted: Uint32Array, bound: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** The reference over members in the order of joining. */
export const make = (members: ReadonlyArray<CommunityMember>): Reference => {
  const columns = MemberColumns.make(members)
  const { joinedAt, text, textEnd } = columns

  const at = (index: number): ReadonlyArray<CommunityMember> => members.slice(index, index + 1)

  const all = (first: number, end: number): Array<number> => {
    const indexes: Array<number> = []
    for (let index = first; index < end; index++) indexes.push(index)
    return indexes
  }

  /** The members whose texts contain the term. */
  const having = (term: string, first: number, end: number): Array<number> => {
    const indexes: Array<number> = []
    let index = first
    let from = textEnd[first - 1] ?? 0
    while (index < end) {
      const found = text.indexOf(term, from)
      if (found === -1) break
      while (index < end && (textEnd[index] ?? 0) <= found) index += 1
      if (index < end) indexes.push(index)
      from = textEnd[index] ?? 0
      index += 1
    }
    return indexes
  }

  /** The indexes of all matching members. */
  const matching = (query: MemberQuery): ReadonlyArray<number> => {
    const first = Option.match(query.joinedAtGte, { onNone: () => 0, onSome: (bound) => firstSince(joinedAt, bound) })
    const end = Option.match(query.joinedAtLte, {
      onNone: () => members.length,
      onSome: (bound) => firstSince(joinedAt, bound + 1)
    })
    const [longest, ...others] = terms(normalise(query.text)).toSorted((self, that) => that.length - self.length)
    const candidates = longest === undefined ? all(first, end) : having(longest, first, end)
    const conditions = [
      ...filters(columns, query),
      ...others.map((term): Condition => (index) => members[index]?.searchText.includes(term) === true)
    ]
    return conditions.length === 0
      ? candidates
      : candidates.filter((index) => conditions.every((condition) => condition(index)))
  }

  return {
    count: (query) => matching(query).length,
    search: (query) => {
      const found = matching(query)
      const total = found.length
      const page = ({ limit, offset }: MemberQuery): ReadonlyArray<CommunityMember> =>
        query.sortBy === "relevance" && !isBlank(query)
          ? bestFirst(members, found, query).slice(offset, offset + limit)
          : query.sortOrder === "asc"
          ? found.slice(offset, offset + limit).flatMap(at)
          : found.slice(Math.max(0, total - offset - limit), Math.max(0, total - offset)).reverse().flatMap(at)
      return { userIds: page(query).map(({ userId }) => userId), total }
    }
  }
}
