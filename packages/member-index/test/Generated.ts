import { Discriminator, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { RoleId } from "@community-messaging/domain/guild/Role"
import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import { MemberQuery, SortBy, SortOrder } from "@community-messaging/domain/member-search/MemberQuery"
import { createdAtMillis } from "@community-messaging/domain/shared-kernel/Snowflake"
import { FastCheck, Option } from "effect"
import type { IndexLimits } from "../src/IndexLimits.ts"
import type { FoundIds } from "../src/MemberIndex.ts"

/*
 * Members and queries of few different values, so that queries match, members tie and bounds are met exactly. The limits are
 * so small that a few hundred members fill several segments, split leaves and make bitsets.
 */

/** The epoch of the snowflakes in these tests, in Unix milliseconds. */
export const EPOCH = 1_420_070_400_000

export const SMALL: IndexLimits = {
  segmentMembers: 64,
  leafEntries: 3,
  changedMembers: 8,
  tailMembers: 16,
  entriesAtOnce: 32,
  firstRanks: 8,
  fewHits: 1
}

/** Options of every property: the number of runs, and a timeout that is long enough on a busy machine. */
export const runs = (numRuns: number) => ({ timeout: 60_000, fastCheck: { numRuns } })

const COMMON = ["a", "b", "an", "A", "é", " "]
const RARE = [
  "n",
  "e\u0301",
  "1",
  "_",
  "-",
  ".",
  "σ",
  "Σ",
  "ß",
  "山",
  "田",
  "🦊",
  "🦉",
  "𐐨",
  "\ud83e",
  "\udd8a",
  "ﬁ",
  "\u0000",
  "\u007f",
  "\uffff",
  "%",
  "\u0301"
]

const letters = FastCheck.oneof(
  { weight: 3, arbitrary: FastCheck.constantFrom(...COMMON) },
  { weight: 1, arbitrary: FastCheck.constantFrom(...RARE) }
)

/** Words that many members have, so that names are similar and the trie becomes deep. */
const WORDS = ["anna", "Anna Banana", "deleted-user-1", "ΝΙΚΟΣ", "山田太郎", "7", "8388608000", "a b", "🦊 fox"]

const text = (minLength: number, maxLength: number): FastCheck.Arbitrary<string> =>
  FastCheck.oneof(
    {
      weight: 5,
      arbitrary: FastCheck.array(letters, { minLength, maxLength }).map((parts) => parts.join(""))
    },
    { weight: 1, arbitrary: FastCheck.constantFrom(...WORDS) },
    { weight: 1, arbitrary: FastCheck.tuple(FastCheck.constantFrom(...WORDS), letters).map((parts) => parts.join("")) }
  )

const optional = <A>(value: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<Option.Option<A>> =>
  FastCheck.option(value, { nil: undefined }).map(Option.fromNullable)

const SECOND = 1000n << 22n

/** User ids of all sizes, many of them from the same few seconds. */
export const userId: FastCheck.Arbitrary<UserId> = FastCheck.oneof(
  FastCheck.nat({ max: 400 }).map(String),
  FastCheck.tuple(FastCheck.bigInt(0n, 3n), FastCheck.bigInt(0n, 60n)).map(([second, rest]) =>
    `${second * SECOND + rest}`
  ),
  FastCheck.bigInt(0n, 40n).map((rest) => `${9_223_372_036_854_775_807n - rest * 7_777_777n}`)
).map((id) => UserId.make(id))

const ROLES = ["5", "10", "11", "9223372036854775807"].map((id) => RoleId.make(id))
const INVITES = ["x", "X", "é", "", "\ud800"]

const joinedAt = FastCheck.oneof(
  { weight: 30, arbitrary: FastCheck.integer({ min: -2, max: 9 }) },
  { weight: 1, arbitrary: FastCheck.constantFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 4_294_967_296) }
)

const usually = <A>(value: FastCheck.Arbitrary<A>, usual: NoInfer<A>): FastCheck.Arbitrary<A> =>
  FastCheck.oneof({ weight: 1, arbitrary: value }, { weight: 5, arbitrary: FastCheck.constant(usual) })

/** A member of the guild; several may have one user id. */
export const member: FastCheck.Arbitrary<GuildMember> = FastCheck.record({
  guildId: FastCheck.constant(GuildId.make("1000")),
  userId,
  username: text(1, 6),
  discriminator: FastCheck.constant(Discriminator.make(0)),
  globalName: optional(text(0, 6)),
  isBot: FastCheck.boolean(),
  nickname: optional(text(0, 6)),
  roleIds: FastCheck.oneof(FastCheck.subarray(ROLES), FastCheck.constant(ROLES.slice(0, 1))),
  joinedAt,
  joinSourceType: optional(FastCheck.integer({ min: 0, max: 3 })),
  sourceInviteCode: optional(FastCheck.constantFrom(...INVITES)),
  inviterId: FastCheck.constant(Option.none())
})

/** The members of a guild, with distinct user ids, in the order of joining. */
export const members = (maxLength: number): FastCheck.Arbitrary<ReadonlyArray<GuildMember>> =>
  FastCheck.uniqueArray(member, { selector: ({ userId: id }) => id, maxLength, size: "max" }).map(inOrder)

export const inOrder = (all: ReadonlyArray<GuildMember>): ReadonlyArray<GuildMember> =>
  all.toSorted((self, that) => self.joinedAt - that.joinedAt || (BigInt(self.userId) < BigInt(that.userId) ? -1 : 1))

/** Seconds in which accounts were created, and their neighbours. */
const CREATED_AT = ["7", `${SECOND}`, `${3n * SECOND}`, "9223372036854775807"].flatMap((id) => {
  const second = Math.floor(createdAtMillis(UserId.make(id), EPOCH) / 1000)
  return [second - 1, second, second + 1]
})

const bound = (value: FastCheck.Arbitrary<number>) => usually(value.map(Option.some), Option.none())

const queryText = FastCheck.oneof(
  { weight: 2, arbitrary: FastCheck.constant("") },
  { weight: 5, arbitrary: letters },
  { weight: 6, arbitrary: text(1, 4) },
  { weight: 3, arbitrary: FastCheck.tuple(letters, letters).map((parts) => parts.join(" ")) },
  { weight: 2, arbitrary: userId }
)

const offset = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.constant(0) },
  { weight: 2, arbitrary: FastCheck.nat({ max: 20 }) },
  { weight: 2, arbitrary: FastCheck.nat({ max: 300 }) },
  { weight: 1, arbitrary: FastCheck.constant(Number.MAX_SAFE_INTEGER) }
)

const few = <A>(items: ReadonlyArray<A>) => usually(FastCheck.subarray([...items], { maxLength: 3 }), [])

/** Any query. Each filter is used sometimes. */
export const query: FastCheck.Arbitrary<MemberQuery> = FastCheck.record({
  text: queryText,
  limit: FastCheck.integer({ min: 1, max: 100 }),
  offset,
  roleIds: few([...ROLES, RoleId.make("12")]),
  joinedAtGte: bound(joinedAt),
  joinedAtLte: bound(joinedAt),
  joinSourceTypes: few([0, 1, 2, 3, 99]),
  sourceInviteCodes: few([...INVITES, "y"]),
  isBot: usually(FastCheck.boolean().map(Option.some), Option.none()),
  userCreatedAtGte: bound(FastCheck.constantFrom(...CREATED_AT)),
  userCreatedAtLte: bound(FastCheck.constantFrom(...CREATED_AT)),
  sortBy: FastCheck.constantFrom(...SortBy.literals),
  sortOrder: FastCheck.constantFrom(...SortOrder.literals)
}).map((fields) => MemberQuery.make(fields))

/** The result of the specification. */
export const specified = (all: ReadonlyArray<GuildMember>, asked: MemberQuery): FoundIds => {
  const page = MemberMatch.search(all, asked, EPOCH)
  return { userIds: page.members.map(({ userId: id }) => id), total: page.total }
}
