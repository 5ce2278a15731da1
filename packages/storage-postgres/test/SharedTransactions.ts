import { paused } from "@community-messaging/domain-contract/Atomically"
import * as Samples from "@community-messaging/domain-contract/Samples"
import type { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { PostgresOptions } from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { Array as Arrays, Effect, Fiber, Layer, Predicate, Redacted, type Scope } from "effect"
import { Client } from "pg"
import { migrated, withSearchPath } from "./TemporaryDatabase.ts"

/* Units of work that wait while all connections are in use, and so share a transaction. */

export type Services = GuildRepository | ScheduledMessageRepository | UnitOfWork

export type Body = Effect.Effect<unknown, unknown, Services>

export const save = (guild: Guild) => Effect.flatMap(GuildRepository, (guilds) => guilds.save(guild))
export const find = ({ id }: Guild) => Effect.flatMap(GuildRepository, (guilds) => guilds.find(id))

/** Fails at the commit at the latest: the author does not exist. */
export const refused = Effect.flatMap(ScheduledMessageRepository, ({ insert }) => insert(Samples.scheduledMessage()))

export const atomically = (body: Body) => Effect.flatMap(UnitOfWork, (units) => units.atomically(body))
export const hold = (guild: Guild) => Effect.flatMap(UnitOfWork, (units) => units.lock({ kind: "guild", id: guild.id }))
export const share = (guild: Guild) =>
  Effect.flatMap(UnitOfWork, (units) => units.share({ kind: "guild", id: guild.id }))

/** Runs the test against a storage in a separate database, with this number of connections or these options. */
export const withStorage = <E>(
  options: number | Partial<PostgresOptions>,
  test: (url: string) => Effect.Effect<void, E, StoragePorts | Scope.Scope>
) =>
  Effect.gen(function*() {
    const url = yield* migrated
    const storage = yield* Layer.build(
      StoragePostgres.layer({
        url: Redacted.make(url),
        ...(Predicate.isNumber(options) ? { poolSize: options } : options)
      })
    )
    yield* Effect.provide(test(url), storage)
  })

/** A connection of another client. */
export const clientOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: withSearchPath(url) })
      // Without a listener, a connection that a test cuts would end the process.
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** The number of guilds that each transaction has committed, in the order of the transactions. */
export const guildsByTransaction = (url: string) =>
  Effect.gen(function*() {
    const client = yield* clientOf(url)
    const { rows } = yield* Effect.promise(() =>
      client.query<{ guilds: number }>(
        "SELECT count(*)::int AS guilds FROM guilds GROUP BY xmin::text ORDER BY xmin::text::bigint"
      )
    )
    return rows.map(({ guilds }) => guilds)
  })

/** Runs the body in a unit of work, and then lets it wait. */
export const running = (body: Body) =>
  Effect.map(paused(body), ({ fiber, release }) => ({ end: Effect.zipRight(release, Fiber.join(fiber)) }))

/** Lets a unit of work on another server hold a lock, until `end`. */
export const heldElsewhere = (url: string, guild: Guild) =>
  Effect.flatMap(
    Layer.build(StoragePostgres.layer({ url: Redacted.make(url), poolSize: 1 })),
    (elsewhere) => Effect.provide(running(Effect.zipRight(hold(guild), find(guild))), elsewhere)
  )

/** Runs the units while another one has the only connection, and then lets that one end. Returns the exits of the units. */
export const whileConnectionIsTaken = Effect.fnUntraced(function*(units: ReadonlyArray<Body>) {
  const first = yield* running(Effect.void)
  const waiting = yield* Effect.fork(Effect.forEach(units, (unit) => Effect.exit(atomically(unit)), {
    concurrency: "unbounded"
  }))
  yield* Effect.repeatN(Effect.yieldNow(), 20)
  yield* first.end
  return yield* Fiber.join(waiting)
})

export const samples = (count: number) => Arrays.makeBy(count, () => Samples.guild())
