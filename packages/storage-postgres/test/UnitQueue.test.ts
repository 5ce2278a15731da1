import * as Samples from "@community-messaging/domain-contract/Samples"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Fiber, Option, TestClock } from "effect"
import {
  atomically,
  type Body,
  clientOf,
  find,
  guildsByTransaction,
  hold,
  running,
  samples,
  save,
  withStorage
} from "./SharedTransactions.ts"

/** Starts units of work, which then wait. */
const waiting = (bodies: ReadonlyArray<Body>) =>
  Effect.tap(
    Effect.fork(Effect.forEach(bodies, atomically, { concurrency: "unbounded" })),
    Effect.repeatN(Effect.yieldNow(), 20)
  )

/** Runs a statement about the database in another database. */
const elsewhere = (url: string, statement: (database: string) => string) => {
  const other = new URL(url)
  other.pathname = "/postgres"
  return LocalPostgres.execute(other.href, statement(new URL(url).pathname.slice(1)))
}

/** Forbids connections to the database, or allows them again. */
const allowConnections = (url: string, allow: boolean) =>
  elsewhere(url, (database) => `ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${allow}`)

/** Ends the connections of the service to the database. */
const terminateAll = (url: string) =>
  elsewhere(url, (database) =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = '${database}' AND application_name = 'community-messaging'`)

describe("units of work on half of the connections", () => {
  it.scoped("are joined by all later ones, while reads have the other connections", () =>
    withStorage(4, (url) =>
      Effect.gen(function*() {
        const guild = Samples.guild()
        // Opens all connections.
        yield* Effect.all(Arrays.replicate(find(guild), 4), { concurrency: "unbounded" })
        const [first, second] = [yield* running(Effect.void), yield* running(Effect.void)]
        const fiber = yield* waiting(samples(5).map(save))
        expect(yield* find(guild)).toEqual(Option.none())
        yield* first.end
        yield* Fiber.join(fiber)
        expect(yield* guildsByTransaction(url)).toEqual([5])
        yield* second.end
      })))

  it.scoped("do not delay others when they are slow", () =>
    withStorage(4, () =>
      Effect.gen(function*() {
        const [slow, other] = [yield* running(save(Samples.guild())), yield* running(save(Samples.guild()))]
        const fiber = yield* waiting(samples(3).map(save))
        yield* TestClock.adjust("50 millis")
        yield* Fiber.join(fiber)
        yield* Effect.zipRight(slow.end, other.end)
      })))

  it.scoped.each([[2, 1], [4, 3], [5, 4]] as const)(
    "leave a connection of %i to reads while %i units hold a lock or wait for it",
    ([size, units]) =>
      withStorage(size, (url) =>
        Effect.gen(function*() {
          const guild = Samples.guild()
          const client = yield* clientOf(url)
          const holder = yield* running(Effect.zipRight(hold(guild), find(guild)))
          const fiber = yield* waiting(Arrays.replicate(Effect.zipRight(hold(guild), find(guild)), 8))
          const countWaiting = Effect.zipRight(
            TestClock.adjust("50 millis"),
            Effect.promise(() => client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
          )
          yield* Effect.repeat(countWaiting, { until: ({ rows }) => rows.length === units - 1 })
          expect(yield* find(guild)).toEqual(Option.none())
          yield* holder.end
          yield* Fiber.join(fiber)
        }))
  )

  it.scoped("do not delay others if they hold an exclusive lock, so that no unit can join", () =>
    withStorage(4, () =>
      Effect.gen(function*() {
        const other = yield* running(save(Samples.guild()))
        const [held, guild] = [Samples.guild(), Samples.guild()]
        const holder = yield* running(Effect.zipRight(hold(held), find(held)))
        yield* atomically(Effect.zipRight(hold(guild), save(guild)))
        yield* Effect.zipRight(holder.end, other.end)
        expect(yield* find(guild)).toEqual(Option.some(guild))
      })))
})

describe("a unit of work that is interrupted while it waits for a connection", () => {
  it.scoped("leaves the queue, and does not delay the next one", () =>
    withStorage(4, () =>
      Effect.gen(function*() {
        const [left, guild] = [Samples.guild(), Samples.guild()]
        const [first, second] = [yield* running(Effect.void), yield* running(Effect.void)]
        yield* Effect.flatMap(waiting([save(left)]), Fiber.interrupt)
        const next = yield* waiting([save(guild)])
        yield* Effect.zipRight(first.end, second.end)
        yield* Fiber.join(next)
        expect([yield* find(left), yield* find(guild)]).toEqual([Option.none(), Option.some(guild)])
      })))
})

describe("a unit of work for which no connection can be opened", () => {
  it.scoped("joins one that has a connection", () =>
    withStorage(4, (url) =>
      Effect.gen(function*() {
        const first = yield* running(Effect.void)
        yield* allowConnections(url, false)
        const fiber = yield* waiting(samples(3).map(save))
        // This takes longer than the rejection of a connection.
        yield* allowConnections(url, false)
        yield* first.end
        yield* Fiber.join(fiber)
        yield* allowConnections(url, true)
        expect(yield* guildsByTransaction(url)).toEqual([3])
      })))

  it.scoped("fails if there is none, and so do all waiting units", () =>
    withStorage(4, (url) =>
      Effect.gen(function*() {
        yield* allowConnections(url, false)
        yield* terminateAll(url)
        const errors = yield* Effect.all(samples(40).map((guild) => Effect.flip(atomically(save(guild)))), {
          concurrency: "unbounded"
        })
        expect(errors.filter((error) => error instanceof StorageError)).toHaveLength(40)
        yield* allowConnections(url, true)
        const guild = Samples.guild()
        yield* atomically(save(guild))
        expect(yield* find(guild)).toEqual(Option.some(guild))
      })))
})
