import * as Samples from "@community-messaging/domain-contract/Samples"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DEFAULT_SCHEMA } from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Redacted, Scope } from "effect"
import {
  atomically,
  clientOf,
  find,
  guildsByTransaction,
  heldElsewhere,
  hold,
  refused,
  running,
  samples,
  save,
  share,
  whileConnectionIsTaken,
  withStorage
} from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

/** More than the maximum depth of nested calls. */
const MANY = 5000

describe("a unit of work that waits for a connection", () => {
  it.scoped("fails with a StorageError once the storage is closed", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const layer = StoragePostgres.layer({ url: Redacted.make(yield* migrated), poolSize: 1 })
      const storage = yield* Layer.buildWithScope(layer, scope)
      yield* Scope.close(scope, Exit.void)
      const error = yield* Effect.flip(Effect.provide(atomically(save(Samples.guild())), storage))
      expect(error).toBeInstanceOf(StorageError)
    }))

  it.scoped("passes the connection on to the next one if it is interrupted with thousands of others", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const first = yield* running(Effect.void)
        const waiting = yield* Effect.forEach(samples(MANY), (guild) => Effect.fork(atomically(save(guild))))
        yield* Effect.repeatN(Effect.yieldNow(), 20)
        yield* Fiber.interruptAll(waiting)
        yield* first.end
        const guild = Samples.guild()
        yield* atomically(save(guild))
        expect(yield* find(guild)).toEqual(Option.some(guild))
      })))
})

describe("a unit of work in a shared transaction", () => {
  it.scoped("fails if it is idle for too long, and does not run again", () =>
    withStorage({ poolSize: 1, idleTimeout: "300 millis" }, (url) =>
      Effect.gen(function*() {
        let runs = 0
        const exits = yield* whileConnectionIsTaken([
          save(Samples.guild()),
          Effect.suspend(() => {
            runs += 1
            return Effect.never
          })
        ])
        expect([exits.map(Exit.isSuccess), runs]).toEqual([[true, false], 1])
        expect(yield* guildsByTransaction(url)).toEqual([1])
      })))

  it.scoped("does not let the others wait for a lock of another client", () =>
    withStorage({ poolSize: 1, lockTimeout: "1 hour", statementTimeout: "1 hour" }, (url) =>
      Effect.gen(function*() {
        const [one, taken] = [Samples.guild(), Samples.guild()]
        yield* atomically(save(taken))
        const client = yield* clientOf(url)
        yield* Effect.promise(() => client.query("BEGIN; UPDATE guilds SET name = 'changed'"))
        let runs = 0
        const exits = yield* whileConnectionIsTaken([
          save(one),
          Effect.suspend(() => {
            runs += 1
            // The earlier unit is committed when this one runs again, alone.
            return runs === 1 ? save(taken) : Effect.zipRight(find(one), Effect.promise(() => client.query("ROLLBACK")))
          })
        ])
        expect([exits.map(Exit.isSuccess), runs]).toEqual([[true, true], 2])
        expect(yield* find(one)).toEqual(Option.some(one))
      })))

  it.scoped("writes to no transaction of others if it continues after it was idle for too long", () =>
    withStorage({ poolSize: 1, idleTimeout: "300 millis" }, () =>
      Effect.gen(function*() {
        const [released, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const guild = Samples.guild()
        yield* whileConnectionIsTaken([
          save(Samples.guild()),
          Effect.uninterruptible(
            Effect.zipRight(Deferred.await(released), Effect.zipRight(hold(guild), save(guild))).pipe(
              Effect.ensuring(Deferred.succeed(ended, undefined))
            )
          )
        ])
        yield* atomically(Effect.gen(function*() {
          yield* save(Samples.guild())
          yield* Deferred.succeed(released, undefined)
          yield* Deferred.await(ended)
        }))
        expect(yield* find(guild)).toEqual(Option.none())
      })))

  it.scoped("rolls back the write of one of its fibers while another fiber leaves the group", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        const exits = yield* whileConnectionIsTaken([
          save(one),
          Effect.all([Effect.zipRight(hold(other), find(other)), save(other)], { concurrency: "unbounded" }).pipe(
            Effect.zipRight(Effect.fail("no"))
          )
        ])
        expect(exits.map(Exit.isSuccess)).toEqual([true, false])
        expect([yield* find(one), yield* find(other)]).toEqual([Option.some(one), Option.none()])
      })))

  it.scoped("runs again if the units that it leaves are not committed, even if it ignores that failure", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [guild, other] = [Samples.guild(), Samples.guild()]
        let runs = 0
        const exits = yield* whileConnectionIsTaken([
          refused,
          Effect.suspend(() => {
            runs += 1
            return Effect.zipRight(Effect.ignore(Effect.zipRight(hold(guild), find(guild))), save(guild))
          }),
          save(other)
        ])
        expect([exits.map(Exit.isSuccess), runs]).toEqual([[false, true, true], 2])
      })))

  it.scoped("keeps its shared locks until its end if it takes an exclusive one later", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const [shared, held] = [Samples.guild(), Samples.guild()]
        const client = yield* clientOf(url)
        const mayChangeShared = Effect.map(
          Effect.promise(() =>
            client.query<{ free: boolean }>(
              "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free",
              [`${DEFAULT_SCHEMA}:guild:${shared.id}`]
            )
          ),
          ({ rows }) => rows.map(({ free }) => free)
        )
        const exits = yield* whileConnectionIsTaken([
          save(Samples.guild()),
          share(shared).pipe(
            Effect.zipRight(find(shared)),
            Effect.zipRight(hold(held)),
            Effect.zipRight(find(held)),
            Effect.zipRight(mayChangeShared)
          )
        ])
        expect(exits.slice(1)).toEqual([Exit.succeed([false])])
        expect(yield* mayChangeShared).toEqual([true])
      })))

  it.scoped("does not fail the unit before it by a lock that it does not get", () =>
    withStorage({ poolSize: 1, lockTimeout: "200 millis" }, (url) =>
      Effect.gen(function*() {
        const held = Samples.guild()
        const holder = yield* heldElsewhere(url, held)
        // This fails if the unit that has the connection does.
        const exits = yield* whileConnectionIsTaken([Effect.all([share(held), hold(Samples.guild()), find(held)])])
        yield* holder.end
        expect(exits.map(Exit.isSuccess)).toEqual([false])
      })))
})
