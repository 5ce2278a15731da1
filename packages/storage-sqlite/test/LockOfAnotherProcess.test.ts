import * as Samples from "@community-messaging/domain-contract/Samples"
import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as Migrations from "@community-messaging/storage-sqlite/Migrations"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Context, Duration, Effect, Fiber, Layer, Option, Queue } from "effect"
import { recordedStorage, Recording } from "./RecordedStorage.ts"
import { isKept, turnsOfEventLoop } from "./SideBySide.ts"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** Takes the lock of the file on another connection, until `unlock`. */
const lock = (filename: string) =>
  Effect.gen(function*() {
    const other = Context.get(yield* Layer.build(SqliteClient.layer({ filename })), SqlClient.SqlClient)
    const connection = yield* other.reserve
    yield* connection.execute("BEGIN IMMEDIATE", [], undefined)
    return { unlock: connection.execute("ROLLBACK", [], undefined) }
  })

/** A storage whose lock another connection to its file holds. */
const lockedStorage = (lockTimeout: Duration.DurationInput) =>
  Effect.gen(function*() {
    const filename = yield* temporaryFilename
    const storage = yield* Layer.build(StorageSqlite.layer({ filename, lockTimeout }))
    return { storage, ...(yield* lock(filename)) }
  })

describe("the lock of another process", () => {
  it.scoped("delays a write, but no read", () =>
    Effect.gen(function*() {
      const { storage, unlock } = yield* lockedStorage("10 seconds")
      const user = Samples.user()
      const write = yield* Effect.fork(Context.get(storage, UserRepository).save(user))
      yield* turnsOfEventLoop
      expect(yield* Effect.provide(isKept(user), storage)).toBe(false)
      expect(Option.isNone(yield* Fiber.poll(write))).toBe(true)
      yield* unlock
      yield* Fiber.join(write)
      expect(yield* Effect.provide(isKept(user), storage)).toBe(true)
    }))

  it.scoped("delays a write only until the timeout; the storage works again when the lock is free", () =>
    Effect.gen(function*() {
      const { storage, unlock } = yield* lockedStorage("20 millis")
      const user = Samples.user()
      const { save } = Context.get(storage, UserRepository)
      expect((yield* Effect.flip(save(user))).message).toBe("Storage failed: begin a transaction")
      yield* unlock
      yield* save(user)
      expect(yield* Effect.provide(isKept(user), storage)).toBe(true)
    }))
})

describe("opening a database while another process has the lock", () => {
  it.scoped("waits until it can migrate, and fails when it has waited for too long", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const { unlock } = yield* lock(filename)
      const opening = yield* Effect.fork(Layer.build(StorageSqlite.layer({ filename })))
      const failure = yield* Effect.flip(Layer.build(StorageSqlite.layer({ filename, lockTimeout: "20 millis" })))
      expect(failure.cause).toMatchObject({ code: "SQLITE_BUSY" })
      expect(Option.isNone(yield* Fiber.poll(opening))).toBe(true)
      yield* unlock
      expect(yield* Effect.provide(isKept(Samples.user()), yield* Fiber.join(opening))).toBe(false)
    }))

  it.scoped("does not block the event loop while it waits to migrate", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const { unlock } = yield* lock(filename)
      const migrating = yield* Effect.fork(Migrations.migrate(filename, Duration.seconds(30)))
      const began = performance.now()
      yield* turnsOfEventLoop
      const took = performance.now() - began
      yield* unlock
      yield* Fiber.join(migrating)
      // SQLite itself would wait for five seconds.
      expect(took).toBeLessThan(4000)
    }))

  it.scoped("does not wait if there is nothing to migrate", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* Effect.scoped(Layer.build(StorageSqlite.layer({ filename })))
      yield* lock(filename)
      const storage = yield* Layer.build(StorageSqlite.layer({ filename, lockTimeout: "20 millis" }))
      expect(yield* Effect.provide(isKept(Samples.user()), storage)).toBe(false)
    }))
})

const looksForCommits = Effect.map(
  Recording,
  ({ asked }) => () => asked.filter(({ text }) => text === "PRAGMA data_version").length
)

describe("a subscriber of events", () => {
  it.scoped("is notified of those of another storage on the file", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const first = yield* Layer.build(StorageSqlite.layer({ filename }))
      const second = yield* Layer.build(StorageSqlite.layer({ filename }))
      const appended = yield* Context.get(first, EventLog).subscribe
      yield* Context.get(second, EventLog).append(Samples.event())
      yield* Queue.take(appended)
      expect((yield* Context.get(first, EventLog).read(0, 10)).length).toBe(1)
    }))

  it.scoped("is not notified while no other connection commits", () =>
    Effect.gen(function*() {
      const { append, subscribe } = yield* EventLog
      const looks = yield* looksForCommits
      const appended = yield* subscribe
      yield* append(Samples.event())
      yield* Queue.take(appended)
      yield* Effect.repeat(turnsOfEventLoop, { until: () => looks() >= 3 })
      expect(yield* Queue.poll(appended)).toEqual(Option.none())
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("keeps no later one waiting, before whatever step it is interrupted", () =>
    Effect.gen(function*() {
      const { subscribe } = yield* EventLog
      for (const step of Arrays.range(1, 250)) {
        const subscriber = yield* yieldingBefore(step, Effect.scoped(Effect.zipRight(subscribe, Effect.never)))
        yield* letOthersRun
        interrupt(subscriber)
        yield* letOthersRun
        const next = yield* Effect.forkDaemon(Effect.scoped(subscribe))
        yield* letOthersRun
        expect([step, subscriber.unsafePoll() === null, next.unsafePoll() === null]).toEqual([step, false, false])
      }
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("looks for commits of other connections together with all others", () =>
    Effect.gen(function*() {
      const { subscribe } = yield* EventLog
      const looks = yield* looksForCommits
      yield* Effect.replicateEffect(subscribe, 50)
      yield* turnsOfEventLoop
      expect(looks()).toBeLessThan(50)
    }).pipe(Effect.provide(recordedStorage)))
})
