import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import * as Samples from "@community-messaging/storage-laws/Samples"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { isKept, letOthersRun, paused } from "./SideBySide.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

describe("a storage with a client that others use too", () => {
  it.effect("what the client runs inside a unit of work is undone with it", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      yield* sql`CREATE TABLE notes (text TEXT)`
      yield* Effect.flip(atomically(Effect.zipRight(sql`INSERT INTO notes VALUES ('mine')`, Effect.fail("no"))))
      expect(yield* sql`SELECT text FROM notes`).toEqual([])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("the client's own transaction inside a unit of work fails for itself alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      const { save } = yield* UserRepository
      const [kept, undone] = [Samples.user(), Samples.user()]
      yield* atomically(Effect.zipRight(
        save(kept),
        Effect.flip(sql.withTransaction(Effect.zipRight(save(undone), Effect.fail("no"))))
      ))
      expect([yield* isKept(kept), yield* isKept(undone)]).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("a port that is used inside the client's own transaction says what is wrong", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const exit = yield* Effect.exit(
        sql.withTransaction(Effect.flatMap(UserRepository, ({ save }) => save(Samples.user())))
      )
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("use UnitOfWork.atomically for it instead")
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("a fiber that outlives its unit of work goes on outside of the next one, with the client too", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      const over = yield* Deferred.make<void>()
      yield* sql`CREATE TABLE notes (text TEXT)`
      const late = Effect.zipRight(Deferred.await(over), sql`INSERT INTO notes VALUES ('late')`)
      const leftBehind = yield* atomically(Effect.forkDaemon(late))
      const next = yield* paused(Effect.void)
      yield* Deferred.succeed(over, undefined)
      yield* letOthersRun
      yield* Fiber.interrupt(next.fiber)
      yield* Fiber.join(leftBehind)
      expect(yield* sql`SELECT text FROM notes`).toEqual([{ text: "late" }])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("a unit of work that waits for the client's own transaction can be interrupted", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      yield* Effect.fork(sql.withTransaction(Effect.never))
      yield* letOthersRun
      const waiting = yield* Effect.fork(atomically(Effect.void))
      yield* letOthersRun
      expect(Exit.isInterrupted(yield* Fiber.interrupt(waiting))).toBe(true)
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("a transaction that SQLite can not keep", () => {
  it.effect("is a failure of storage when its commit fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      const { save } = yield* MembershipRepository
      const failure = yield* Effect.flip(
        atomically(Effect.zipRight(sql`PRAGMA defer_foreign_keys = ON`, save(Samples.membership())))
      )
      expect(failure.message).toBe("Storage failed: commit a transaction")
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is undone when its commit fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      const memberships = yield* MembershipRepository
      const users = yield* UserRepository
      const [before, after] = [Samples.user(), Samples.user()]
      yield* Effect.flip(atomically(Effect.all([
        sql`PRAGMA defer_foreign_keys = ON`,
        users.save(before),
        memberships.save(Samples.membership())
      ])))
      yield* users.save(after)
      expect([yield* isKept(before), yield* isKept(after)]).toEqual([false, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is undone as a whole when the disk was full, even if that failure was caught", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically } = yield* UnitOfWork
      const { save } = yield* UserRepository
      const [before, after] = [Samples.user(), Samples.user()]
      yield* sql`CREATE TABLE ballast (bytes BLOB)`
      yield* sql`PRAGMA max_page_count = 1`
      const unit = Effect.all([
        save(before),
        Effect.either(sql`INSERT INTO ballast VALUES (zeroblob(1000000))`),
        Effect.ignore(save(after))
      ])
      const failure = yield* Effect.flip(atomically(unit))
      expect([failure.message, yield* isKept(before), yield* isKept(after)]).toEqual([
        "Storage failed: go on with a transaction",
        false,
        false
      ])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
