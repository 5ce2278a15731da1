import * as Samples from "@community-messaging/domain-contract/Samples"
import { type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { search } from "@community-messaging/domain/member-search/MemberMatch"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { createdAtMillis, SnowflakeEpoch } from "@community-messaging/domain/Snowflake"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc, Option } from "effect"
import { temporaryStorage } from "./TemporaryDatabase.ts"

// Few and short, so that much matches; NUL, wildcards, letters with several forms, signs of several UTF-16 units.
const pieces = ["a", "An", "n", "é", "e\u0301", "ß", "Σ", "ς", " ", "\u0000", "%", "_", "'", "7", "0", "🦊", "🦋", "İ"]
const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""))
const queryText = fc.array(fc.constantFrom(...pieces, "\ud83e", "\udd8a", "\ufffd"), { maxLength: 4 }).map((parts) =>
  parts.join("")
)

const ids = [
  "0",
  "7",
  "70",
  "4194303",
  "4194304",
  "4194303999",
  "4194304000",
  "9007199254740993",
  "1234567890123456789",
  "9223372036854775807"
]
const roles = ["5", "9223372036854775806", "6"].map((id) => RoleId.make(id))
const codes = ["abc", "a\u0000c", "🦊"]

const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary).map(Option.fromNullable)

interface Member {
  readonly user: User
  readonly membership: Omit<Membership, "guildId">
}

const member = (id: string): fc.Arbitrary<Member> =>
  fc.record({
    username: text,
    globalName: optional(text),
    bot: fc.boolean(),
    nickname: optional(text),
    roleIds: fc.subarray(roles),
    joinedAt: fc.integer({ min: -2, max: 3 }),
    joinSourceType: optional(fc.integer({ min: 0, max: 3 })),
    sourceInviteCode: optional(fc.constantFrom(...codes))
  }).map(({ bot, globalName, username, ...membership }) => {
    const userId = UserId.make(id)
    return {
      user: Samples.user({ id: userId, username, globalName, bot }),
      membership: { userId, inviterId: Option.none(), ...membership }
    }
  })

const members = fc.subarray(ids, { minLength: 1 }).chain((chosen) => fc.tuple(...chosen.map(member)))

const EPOCH = Date.UTC(2015, 0, 1)
const creationSeconds = ids.map((id) => Math.floor(createdAtMillis(UserId.make(id), EPOCH) / 1000))
const creationBound = fc.oneof(
  fc.constantFrom(...creationSeconds).chain((seconds) => fc.integer({ min: seconds - 1, max: seconds + 1 })),
  fc.constantFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
)

const query = fc.record({
  text: fc.oneof(queryText, fc.constantFrom(...ids)),
  limit: fc.integer({ min: 1, max: 10 }),
  offset: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  roleIds: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(roles)),
  joinedAtGte: optional(fc.integer({ min: -3, max: 3 })),
  joinedAtLte: optional(fc.integer({ min: -3, max: 3 })),
  joinSourceTypes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([0, 1, 2, 3])),
  sourceInviteCodes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...codes, "\ud83e"])),
  isBot: optional(fc.boolean()),
  userCreatedAtGte: optional(creationBound),
  userCreatedAtLte: optional(creationBound),
  sortBy: fc.constantFrom("joinedAt" as const, "relevance" as const),
  sortOrder: fc.constantFrom("asc" as const, "desc" as const)
}).map((fields) => MemberQuery.make(fields))

let guilds = 0

/** A guild of its own with those members. */
const guildOf = (joined: ReadonlyArray<Member>) =>
  Effect.gen(function*() {
    guilds += 1
    const guildId = GuildId.make(String(guilds))
    const users = yield* UserRepository
    const memberships = yield* MembershipRepository
    yield* (yield* GuildRepository).save(Samples.guild({ id: guildId }))
    for (const { membership, user } of joined) {
      yield* users.save(user)
      yield* memberships.save({ ...membership, guildId })
    }
    return guildId
  })

describe("MemberDirectory on SQLite", () => {
  it.layer(temporaryStorage)((it) => {
    it.effect.prop(
      "answers every query as the specification does",
      { members, queries: fc.array(query, { minLength: 20, maxLength: 20 }) },
      ({ members: joined, queries }) =>
        Effect.gen(function*() {
          const { atomically } = yield* UnitOfWork
          const directory = yield* MemberDirectory
          const epoch = yield* SnowflakeEpoch
          const guildId = yield* atomically(guildOf(joined))
          const all = joined.map(({ membership, user }) => fromMembership({ ...membership, guildId }, user))
          for (const asked of queries) {
            expect(yield* directory.search(guildId, asked)).toEqual(search(all, asked, epoch))
          }
        }),
      { fastCheck: { numRuns: 30 }, timeout: 60_000 }
    )
  })
})
