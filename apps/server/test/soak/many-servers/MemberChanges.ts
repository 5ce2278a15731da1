import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import { type MemberProfile, profile } from "@community-messaging/domain-contract/SearchSamples"
import { type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberJoined, MemberLeft } from "@community-messaging/domain/guild/MemberEvents"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { type Array as Arrays, type Duration, Effect, FastCheck, Option, Random, Schema } from "effect"
import { ACCOUNTS, type Community, GUILDS } from "./Community.ts"
import * as Fleet from "./Fleet.ts"
import { Ledger } from "./Ledger.ts"

/** The number of concurrent writers; each changes the members of its own accounts. */
const WRITERS = 4

/** The value of an account that is not a member. */
export const NOBODY = "not a member"

const encode = Schema.encodeSync(Schema.parseJson(Membership))

/** A membership as text in the ledger. */
export const textOf = (membership: Option.Option<Membership>): string =>
  Option.match(membership, { onNone: () => NOBODY, onSome: encode })

/** The names of an account as text in the ledger. */
export const namesOf = ({ bot, globalName, username }: Pick<User, "bot" | "globalName" | "username">): string =>
  JSON.stringify([username, Option.getOrNull(globalName), bot])

const someProfile = Effect.map(
  Random.nextIntBetween(0, 2 ** 31 - 1),
  (seed) => FastCheck.sample(profile, { numRuns: 1, seed })[0]
).pipe(Effect.flatMap(Effect.fromNullable), Effect.orDie)

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Effect.flatMap(Random.nextIntBetween(0, items.length), (index) => Effect.orDie(Effect.fromNullable(items[index])))

const keyOf = (guildId: GuildId, userId: UserId): string => `${guildId} ${userId}`

/** The guild and the account of a key of the ledger. */
export const ofKey = (key: string) => {
  const [guildId = "", userId = ""] = key.split(" ")
  return { guildId: GuildId.make(guildId), userId: UserId.make(userId) }
}

/** The changes, each a unit of work of this process, beside the servers. */
const changes = Effect.gen(function*() {
  const users = yield* UserRepository
  const memberships = yield* MembershipRepository
  const { atomically, lock } = yield* UnitOfWork
  const { append } = yield* EventLog
  const holding = <A, E, R>(userId: UserId, unit: Effect.Effect<A, E, R>) =>
    atomically(Effect.zipRight(lock({ kind: "account", id: userId }), unit))
  return {
    join: (membership: Membership) =>
      holding(
        membership.userId,
        Effect.zipRight(
          memberships.save(membership),
          append(MemberJoined.of({ guildId: membership.guildId, userId: membership.userId }))
        )
      ),
    leave: (guildId: GuildId, userId: UserId) =>
      holding(userId, Effect.zipRight(memberships.remove(guildId, userId), append(MemberLeft.of({ guildId, userId })))),
    // The servers change the addresses of the same accounts.
    rename: (userId: UserId, { globalName, isBot, username }: MemberProfile) =>
      holding(
        userId,
        Effect.flatMap(
          Effect.flatten(users.find(userId)),
          (user) => users.save({ ...user, username, globalName, bot: isBot })
        )
      )
  }
})

/** Lets accounts join guilds, leave them and get other names, while `isRunning`. Each writer pauses before a change. */
export const start = (
  servers: Arrays.NonEmptyReadonlyArray<Fleet.FleetServer>,
  { bot }: Community,
  isRunning: () => boolean,
  pause: Duration.Duration
) =>
  Effect.gen(function*() {
    const { join, leave, rename } = yield* changes
    const memberships = new Ledger()
    const names = new Ledger()
    const stale: Array<string> = []
    let searches = 0
    for (const userId of ACCOUNTS) {
      names.begin(userId, namesOf({ username: `user_${userId}`, globalName: Option.none(), bot: false }))
      for (const guildId of GUILDS) memberships.begin(keyOf(guildId, userId), NOBODY)
    }

    /** Checks that the very next search, on any server, includes the acknowledged change. */
    const lookFor = (guildId: GuildId, userId: UserId, isThere: boolean) =>
      Effect.gen(function*() {
        const { origin } = yield* Fleet.any(servers)
        const { guildMembers } = yield* CommunityMessaging.make({ baseUrl: origin, credentials: { bot }, retries: 0 })
        const { indexing, members } = yield* guildMembers.search({
          path: { guild_id: guildId },
          body: { query: userId, limit: 100 }
        })
        if (indexing) return
        searches += 1
        if (members.some(({ user_id }) => user_id === userId) === isThere) return
        stale.push(`${keyOf(guildId, userId)} is ${isThere ? "not " : ""}found by ${origin}`)
      }).pipe(Effect.ignore)

    const change = (accounts: ReadonlyArray<UserId>) =>
      Effect.gen(function*() {
        const userId = yield* oneOf(accounts)
        const guildId = yield* oneOf(GUILDS)
        const generated = yield* someProfile
        const kind = yield* oneOf(["join", "join", "leave", "rename"] as const)
        if (kind === "rename") {
          const { globalName, isBot, username } = generated
          yield* names.write(userId, namesOf({ username, globalName, bot: isBot }), rename(userId, generated))
          return
        }
        const membership = Membership.make({ ...generated, guildId, userId })
        const isKnown = yield* memberships.write(
          keyOf(guildId, userId),
          textOf(kind === "join" ? Option.some(membership) : Option.none()),
          kind === "join" ? join(membership) : leave(guildId, userId)
        )
        if (isKnown) yield* lookFor(guildId, userId, kind === "join")
      }).pipe(Effect.delay(pause))

    const writers = yield* Effect.forkScoped(Effect.forEach(
      Array.from({ length: WRITERS }, (_, writer) => ACCOUNTS.filter((__, index) => index % WRITERS === writer)),
      (accounts) => Effect.repeat(change(accounts), { while: isRunning }),
      { concurrency: "unbounded", discard: true }
    ))
    return {
      writers,
      memberships,
      names,
      stale,
      searches: () => searches
    }
  })
