import { tombstone } from "@community-messaging/domain/account/Tombstone"
import * as Users from "@community-messaging/domain/account/User"
import { type EmailAlreadyInUse, UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import type { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import { MemberPage, type MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { RUNS } from "./Arbitraries.ts"
import { atomically } from "./Atomically.ts"
import { portContract } from "./OwnPorts.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"
import { ACCOUNTS, type MemberProfile, profile, query, searchMembers } from "./SearchSamples.ts"

const GUILDS = [0, 1, 2]

/** A change of an account, or of its membership in the guild at that index of `GUILDS`. */
interface Change {
  readonly kind: "joins" | "leaves" | "is renamed" | "changes here" | "is deleted"
  readonly userId: Users.UserId
  readonly guild: number
  readonly profile: MemberProfile
}

const change: FastCheck.Arbitrary<Change> = FastCheck.record({
  kind: FastCheck.constantFrom(
    "joins" as const,
    "joins" as const,
    "joins" as const,
    "leaves" as const,
    "is renamed" as const,
    "is renamed" as const,
    "changes here" as const,
    "changes here" as const,
    "is deleted" as const
  ),
  userId: FastCheck.constantFrom(...ACCOUNTS),
  guild: FastCheck.constantFrom(...GUILDS),
  profile
})

/** The stored data according to the model. */
interface Stored {
  readonly users: ReadonlyMap<Users.UserId, Users.User>
  readonly memberships: ReadonlyArray<Membership>
}

interface Making {
  readonly write: Effect.Effect<void, EmailAlreadyInUse | StorageError, MembershipRepository | UserRepository>
  readonly after: Stored
}

/** Makes a change in the model. Returns the stored data after it. */
const making = (
  stored: Stored,
  guildIds: ReadonlyArray<GuildId>,
  { guild, kind, profile: made, userId }: Change
): Making => {
  const { discriminator, globalName, isBot, username, ...rest } = made
  const guildId = guildIds[guild] ?? Samples.guild().id
  const known = stored.users.get(userId) ?? Users.create({ id: userId, username: "new" })
  const others = stored.memberships.filter((other) => other.guildId !== guildId || other.userId !== userId)
  const isMember = others.length < stored.memberships.length
  const withUser = (user: Users.User) => ({
    write: Effect.flatMap(UserRepository, (users) => users.save(user)),
    after: { ...stored, users: new Map(stored.users).set(userId, user) }
  })
  const withMembership = (membership: Membership) => ({
    write: Effect.flatMap(MembershipRepository, (memberships) => memberships.save(membership)),
    after: { ...stored, memberships: [...others, membership] }
  })
  switch (kind) {
    case "joins":
      // An account is created first if it does not exist.
      return stored.users.has(userId) ? withMembership({ ...rest, guildId, userId }) : withUser(known)
    case "changes here":
      return isMember ? withMembership({ ...rest, guildId, userId }) : withUser(known)
    case "leaves":
      return {
        write: Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(guildId, userId)),
        after: { ...stored, memberships: others }
      }
    case "is renamed":
      return withUser({ ...known, username, discriminator, globalName, bot: isBot })
    case "is deleted":
      return withUser(tombstone(known, Samples.NOON))
  }
}

/** How the changes of a step are made, and whether they are committed. */
const ENDINGS = ["one by one", "succeeds", "fails", "dies", "is interrupted", "fails within", "fails around"] as const

interface Step {
  readonly changes: ReadonlyArray<Change>
  readonly ending: typeof ENDINGS[number]
  readonly wanted: MemberQuery
}

const step: FastCheck.Arbitrary<Step> = FastCheck.record({
  changes: FastCheck.array(change, { minLength: 1, maxLength: 4 }),
  ending: FastCheck.constantFrom(...ENDINGS),
  wanted: query
})

/** Makes the changes, each followed by a search inside the unit of work. Returns the stored data after them. */
const take = <E, R>(
  stored: Stored,
  guildIds: ReadonlyArray<GuildId>,
  { changes, ending }: Step,
  look: (committed: Stored) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function*() {
    const isAlone = ending === "one by one"
    const writes = (from: Stored) =>
      Effect.reduce(changes, from, (before, next) => {
        const { after, write } = making(before, guildIds, next)
        return write.pipe(Effect.zipRight(look(isAlone ? after : stored)), Effect.as(after))
      })
    switch (ending) {
      case "one by one":
        return yield* writes(stored)
      case "succeeds":
        return yield* atomically(writes(stored))
      case "fails within":
        return yield* atomically(Effect.zipRight(
          Effect.ignore(atomically(Effect.zipRight(writes(stored), Effect.fail("no")))),
          writes(stored)
        ))
      case "fails around":
        yield* Effect.exit(atomically(Effect.zipRight(atomically(writes(stored)), Effect.fail("no"))))
        return stored
      case "fails":
        yield* Effect.exit(atomically(Effect.zipRight(writes(stored), Effect.fail("no"))))
        return stored
      case "dies":
        yield* Effect.exit(atomically(Effect.zipRight(writes(stored), Effect.die("broken"))))
        return stored
      case "is interrupted":
        yield* Effect.exit(atomically(Effect.zipRight(writes(stored), Effect.interrupt)))
        return stored
    }
  })

const plain = plainData(MemberPage)

/** The contract of `MemberDirectory` for changes: the very next search includes all committed ones, and no others. */
export const memberChangeContract = portContract<
  GuildRepository | MemberDirectory | MembershipRepository | UnitOfWork | UserRepository
>("MemberDirectory, with changes", ({ storage }) => {
  layer(storage)((it) => {
    it.effect.prop(
      "a search has the results of the specification over the committed data, in the middle of changes and after them",
      { steps: FastCheck.array(step, { minLength: 3, maxLength: 8 }) },
      ({ steps }) =>
        Effect.gen(function*() {
          const epoch = yield* SnowflakeEpoch
          const guildIds = (yield* Effect.forEach(GUILDS, () => Saved.guild())).map(({ id }) => id)
          const searching = (wanted: MemberQuery) => ({ memberships, users }: Stored) =>
            Effect.forEach(guildIds, (guildId) =>
              Effect.map(searchMembers(guildId, wanted), (found) => {
                const members = memberships.filter((membership) => membership.guildId === guildId)
                  .map((membership) =>
                    fromMembership(
                      membership,
                      users.get(membership.userId) ?? Users.create({ id: membership.userId, username: "?" })
                    )
                  )
                expect(plain(found)).toEqual(plain(MemberMatch.search(members, wanted, epoch)))
              }), { discard: true })
          const users = new Map(ACCOUNTS.map((id) => [id, Samples.user({ id })]))
          yield* Effect.forEach(users.values(), (user) =>
            Effect.flatMap(UserRepository, (repository) => repository.save(user)), { discard: true })
          yield* Effect.reduce(steps, { users, memberships: [] }, (stored: Stored, next) =>
            Effect.tap(take(stored, guildIds, next, searching(next.wanted)), searching(next.wanted)))
        }),
      { ...RUNS, timeout: 120_000 }
    )
  })
})
