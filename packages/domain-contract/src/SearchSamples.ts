import { Discriminator, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { createdAtMillis, SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Context, Effect, FastCheck, Option } from "effect"

/* Members and queries of few different values, so that queries match, members tie, and bounds are met exactly. */

/** An account that is in no guild. */
const NOBODY = UserId.make("9")

/** A member of the guild, so that a storage reads as for a request. */
const callerIn = (guildId: GuildId) =>
  Effect.flatMap(
    MembershipRepository,
    ({ list }) => Effect.map(list({ guildId, after: Option.none(), limit: 1 }), ([first]) => first?.userId ?? NOBODY)
  )

/** Searches the members of a guild for the caller, without a check of permissions. */
export const searchFor = (callerId: UserId, guildId: GuildId, wanted: MemberQuery) =>
  Effect.flatMap(
    MemberDirectory,
    ({ begin }) => Effect.flatMap(begin(callerId, guildId), ({ search }) => search(wanted))
  )

/** Searches the members of a guild for one of them, without a check of permissions. */
export const searchMembers = (guildId: GuildId, wanted: MemberQuery) =>
  Effect.flatMap(callerIn(guildId), (callerId) => searchFor(callerId, guildId, wanted))

/**
 * Letters with accents, composed or not, in several cases, widths and scripts, word separators, and characters that
 * caused faults before.
 */
const COMMON = ["a", "A", "é", "e\u0301", " "]
const RARE = ["b", "Ａ", "ß", "Σ", "ς", "'", "ﬁ", "i", "İ", "漢", "字", "🦊", "𝒜", "1", "  ", "-", "_", "%", "\u0000"]

const letters = FastCheck.oneof(
  { weight: 2, arbitrary: FastCheck.constantFrom(...COMMON) },
  { weight: 1, arbitrary: FastCheck.constantFrom(...RARE) }
)

const text = (minimum: number, maximum: number): FastCheck.Arbitrary<string> =>
  FastCheck.array(letters, { minLength: minimum, maxLength: maximum }).map((parts) => parts.join(""))

const optional = <A>(value: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<Option.Option<A>> =>
  FastCheck.option(value, { nil: undefined }).map(Option.fromNullable)

const rarely = <A>(value: FastCheck.Arbitrary<A>, usual: NoInfer<A>): FastCheck.Arbitrary<A> =>
  FastCheck.oneof({ weight: 1, arbitrary: value }, { weight: 11, arbitrary: FastCheck.constant(usual) })

const bound = <A>(value: FastCheck.Arbitrary<A>): FastCheck.Arbitrary<Option.Option<A>> =>
  rarely(value.map((limit) => Option.some(limit)), Option.none())

/** Accounts that were created in few different seconds; their ids have different numbers of digits. */
export const ACCOUNTS = [
  "7",
  "12",
  "4194303",
  "4194304000",
  "4194304001",
  "8388608000",
  "92233720368547",
  "9223372036854775807"
]
  .map((id) => UserId.make(id))

/** Roles that members may have. A search does not look roles up, so they need not be stored. */
const ROLES = ["5", "10", "9223372036854775807"].map((id) => RoleId.make(id))

const INVITE_CODES = ["x", "X", "é", ""]

const epoch = Context.get(Context.empty(), SnowflakeEpoch)

/** The seconds in which the accounts were created, and their neighbours. */
const CREATED_AT = ACCOUNTS.flatMap((id) => {
  const second = Math.floor(createdAtMillis(id, epoch) / 1000)
  return [second - 1, second, second + 1]
})

/** The generated part of a member: all fields except the ids. */
export type MemberProfile = Omit<GuildMember, "guildId" | "userId">

/** The profile of a member. */
export const profile: FastCheck.Arbitrary<MemberProfile> = FastCheck.record({
  username: text(1, 4),
  discriminator: FastCheck.integer({ min: 0, max: 9999 }).map((number) => Discriminator.make(number)),
  globalName: optional(text(0, 5)),
  isBot: FastCheck.boolean(),
  nickname: optional(text(0, 5)),
  roleIds: FastCheck.subarray(ROLES),
  joinedAt: FastCheck.integer({ min: -1, max: 3 }),
  joinSourceType: optional(FastCheck.integer({ min: 0, max: 2 })),
  sourceInviteCode: optional(FastCheck.constantFrom(...INVITE_CODES)),
  inviterId: optional(FastCheck.constantFrom(...ACCOUNTS))
})

/** The members of a guild: some of the accounts, each with a profile. */
export const members: FastCheck.Arbitrary<ReadonlyArray<GuildMember>> = FastCheck.array(profile, {
  maxLength: ACCOUNTS.length
}).chain((profiles) =>
  FastCheck.shuffledSubarray(ACCOUNTS, { minLength: profiles.length, maxLength: profiles.length }).map((userIds) =>
    profiles.flatMap((generated, index) => {
      const userId = userIds[index]
      return userId === undefined ? [] : [{ ...generated, guildId: GuildId.make("0"), userId }]
    })
  )
)

/** A query of any kind. It has few filters, so that it matches some members. */
export const query: FastCheck.Arbitrary<MemberQuery> = FastCheck.record({
  text: FastCheck.oneof(
    { weight: 6, arbitrary: text(1, 1) },
    { weight: 3, arbitrary: text(0, 3) },
    { weight: 1, arbitrary: text(3, 6) },
    { weight: 1, arbitrary: FastCheck.constantFrom(...ACCOUNTS).map(String) }
  ),
  limit: FastCheck.oneof(FastCheck.integer({ min: 1, max: 4 }), FastCheck.constant(100)),
  offset: FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.constant(0) },
    { weight: 4, arbitrary: FastCheck.integer({ min: 1, max: 9 }) },
    { weight: 1, arbitrary: FastCheck.constant(Number.MAX_SAFE_INTEGER) }
  ),
  roleIds: rarely(FastCheck.array(FastCheck.constantFrom(...ROLES), { minLength: 1, maxLength: 3 }), []),
  joinedAtGte: bound(FastCheck.integer({ min: -2, max: 4 })),
  joinedAtLte: bound(FastCheck.integer({ min: -2, max: 4 })),
  joinSourceTypes: rarely(FastCheck.array(FastCheck.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }), []),
  sourceInviteCodes: rarely(
    FastCheck.array(FastCheck.constantFrom(...INVITE_CODES), { minLength: 1, maxLength: 3 }),
    []
  ),
  isBot: bound(FastCheck.boolean()),
  userCreatedAtGte: bound(FastCheck.constantFrom(...CREATED_AT)),
  userCreatedAtLte: bound(FastCheck.constantFrom(...CREATED_AT)),
  sortBy: FastCheck.constantFrom("joinedAt", "relevance", "relevance"),
  sortOrder: FastCheck.constantFrom("asc", "desc")
})
