import { JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { MemberQuery, type SortOrder } from "@community-messaging/domain/member-search/MemberQuery"
import { terms } from "@community-messaging/domain/member-search/MemberText"
import { Option } from "effect"
import type { SeededRandom } from "../report/SeededRandom.ts"
import { type Community, type CommunityMember, SEPARATOR } from "./community/Community.ts"

/** Queries of one kind. */
export interface QueryClass {
  readonly name: string
  /** The smallest and the largest part of the members that may match; other queries are drawn again. */
  readonly hits: readonly [atLeast: number, atMost: number]
  /** Draws a realistic query for that community. */
  readonly draw: (random: SeededRandom, community: Community) => MemberQuery
}

const ANY = [0, 1] as const
const FEW = [0, 0.000_05] as const
const ONE_PERCENT = [0.005, 0.02] as const
const MANY = [0.1, 0.25] as const

const sortOrder = (random: SeededRandom): SortOrder => random.chance(0.3) ? "asc" : "desc"

const memberOf = (random: SeededRandom, { members }: Community): CommunityMember => {
  const member = members[random.below(members.length)]
  if (member === undefined) throw new Error("A community without members is not searched.")
  return member
}

/** A part of a member's name of that many characters, without white space. */
const part = (random: SeededRandom, community: Community, length: () => number): string => {
  for (;;) {
    const text = Array.from(random.pick(["", ...memberOf(random, community).searchText.split(SEPARATOR)]))
    const wanted = length()
    const start = random.below(Math.max(1, text.length - wanted + 1))
    const found = text.slice(start, start + wanted).join("")
    if (text.length >= wanted && !/\s/u.test(found)) return found
  }
}

/** The beginnings of two words of one member's names, as a user types them. */
const beginnings = (random: SeededRandom, community: Community): string => {
  for (;;) {
    const member = memberOf(random, community)
    const words = terms(member.globalNameText ?? member.nicknameText ?? "").filter((word) => word.length > 2)
    const [first, second] = words.map((word) => Array.from(word).slice(0, 3 + random.below(3)).join(""))
    if (first !== undefined && second !== undefined) return `${first} ${second}`
  }
}

type Filters = Partial<Parameters<typeof MemberQuery.make>[0]>

const withFilters = (
  name: string,
  hits: QueryClass["hits"],
  filters: (random: SeededRandom, community: Community) => Filters
): QueryClass => ({
  name,
  hits,
  draw: (random, community) => MemberQuery.make({ sortOrder: sortOrder(random), ...filters(random, community) })
})

const withText = (
  name: string,
  hits: QueryClass["hits"],
  text: (random: SeededRandom, community: Community) => string,
  order: Filters = {}
): QueryClass => withFilters(name, hits, (random, community) => ({ text: text(random, community), ...order }))

const piece = (shortest: number, longest: number) => (random: SeededRandom, community: Community): string =>
  part(random, community, () => shortest + random.below(longest - shortest + 1))

const RELEVANCE: Filters = { sortBy: "relevance", sortOrder: "desc" }

const several = <A>(random: SeededRandom, from: ReadonlyArray<A>, howMany: number): ReadonlyArray<A> => {
  const chosen = new Set<A>()
  while (chosen.size < Math.min(howMany, from.length)) {
    from.slice(random.below(from.length)).slice(0, 1).forEach((one) => chosen.add(one))
  }
  return Array.from(chosen)
}

/** From the joining of one member to that of another, with that part of all members in between. */
const joinedRange = (random: SeededRandom, { members }: Community, part_: number): Filters => {
  const width = Math.max(1, Math.floor(members.length * part_))
  const first = random.below(members.length - width)
  return {
    joinedAtGte: Option.fromNullable(members[first]?.joinedAt),
    joinedAtLte: Option.fromNullable(members[first + width]?.joinedAt)
  }
}

const SOURCES = [
  JOIN_SOURCE_TYPE.invite,
  JOIN_SOURCE_TYPE.vanityLink,
  JOIN_SOURCE_TYPE.discovery,
  JOIN_SOURCE_TYPE.addedByAdministrator,
  JOIN_SOURCE_TYPE.botConsent
]

const DAY = 86_400

/** All classes of queries, including those that occur while a user types. */
export const QUERY_CLASSES: ReadonlyArray<QueryClass> = [
  withFilters("none", ANY, () => ({})),
  withFilters("none, offset of half", ANY, (random, { members }) => ({
    offset: Math.floor(members.length / 2) + random.below(Math.floor(members.length / 4))
  })),
  withText("text, few hits", FEW, piece(9, 14)),
  withText("text, 1 % hits", ONE_PERCENT, piece(3, 6)),
  withText("text, 10-25 % hits", MANY, piece(3, 5)),
  withText("2 characters", ANY, piece(2, 2)),
  withText("1 character", ANY, piece(1, 1)),
  withText("several terms", ANY, beginnings),
  withFilters("all of 2-3 roles", ANY, (random, { roleIds }) => ({
    roleIds: several(random, roleIds, 2 + random.below(2))
  })),
  withFilters(
    "joined range",
    ANY,
    (random, community) => joinedRange(random, community, 0.001 + random.fraction() * 0.009)
  ),
  withFilters("source any of", ANY, (random) => ({ joinSourceTypes: several(random, SOURCES, 1 + random.below(2)) })),
  withFilters("invite any of", ANY, (random, { inviteCodes }) => ({
    sourceInviteCodes: several(random, inviteCodes, 2 + random.below(4))
  })),
  withFilters("account-created range", ANY, (random, community) => {
    const { createdAt } = memberOf(random, community)
    return {
      userCreatedAtGte: Option.some(createdAt),
      userCreatedAtLte: Option.some(createdAt + (2 + random.below(28)) * DAY)
    }
  }),
  withFilters("text and filters", ANY, (random, community) => ({
    text: piece(3, 5)(random, community),
    roleIds: several(random, community.roleIds.slice(0, 8), 1),
    joinSourceTypes: several(random, SOURCES.slice(0, 3), 2),
    ...joinedRange(random, community, 0.3)
  })),
  withFilters("filters only", ANY, (random, community) => ({
    roleIds: several(random, community.roleIds.slice(0, 8), 1),
    joinSourceTypes: several(random, SOURCES.slice(0, 3), 2),
    isBot: Option.some(false),
    ...joinedRange(random, community, 0.5)
  })),
  withText("relevance, 1 % hits", ONE_PERCENT, piece(3, 6), RELEVANCE),
  withText("relevance, 10-25 % hits", MANY, piece(3, 5), RELEVANCE),
  withText("relevance, several terms", ANY, beginnings, RELEVANCE),
  withText("relevance, 2 characters", ANY, piece(2, 2), RELEVANCE),
  withText("relevance, 1 character", ANY, piece(1, 1), RELEVANCE)
]
