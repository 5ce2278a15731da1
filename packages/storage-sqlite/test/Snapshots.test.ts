import * as Saved from "@community-messaging/domain-contract/Saved"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { type Connection, type ConnectionOptions, Connector } from "@community-messaging/storage-sqlite/Connection"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { isKept } from "./SideBySide.ts"
import { emptyStorageFilename } from "./TemporaryDatabase.ts"

/** A storage, the numbers of its opened and closed connections, and a statement that they reject. */
const counted = Effect.gen(function*() {
  const { open } = yield* Connector
  const state = { opened: 0, closed: 0, refused: "" }
  const isRefused = (text: string) => state.refused !== "" && text.split(" = ")[0] === state.refused
  const connector = {
    open: (options: ConnectionOptions) =>
      Effect.acquireRelease(
        Effect.map(open(options), (connection): Connection => {
          state.opened += 1
          return {
            ...connection,
            run: (text, parameters) =>
              isRefused(text) ? Exit.fail(new SqlFailure({ cause: text })) : connection.run(text, parameters)
          }
        }),
        () => Effect.sync(() => state.closed += 1)
      )
  }
  const storage = yield* Effect.provideService(
    Layer.build(StorageSqlite.layer({ filename: yield* emptyStorageFilename })),
    Connector,
    connector
  )
  return { state, storage, snapshot: Context.get(storage, UnitOfWork).snapshot }
})

/** A snapshot that has begun, and continues after `end`. */
const begun = (snapshot: UnitOfWork["Type"]["snapshot"]) =>
  Effect.gen(function*() {
    const reached = yield* Deferred.make<void>()
    const goOn = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(
      snapshot(Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(goOn)))
    )
    yield* Deferred.await(reached)
    return { end: Effect.zipRight(Deferred.succeed(goOn, undefined), Fiber.join(fiber)) }
  })

describe("the connection of a snapshot", () => {
  it.scoped("is reused, and sees later commits", () =>
    Effect.gen(function*() {
      const { snapshot, state, storage } = yield* counted
      yield* snapshot(Effect.void)
      const { opened } = state
      const user = yield* Effect.provide(Saved.user(), storage)
      expect(yield* Effect.provide(snapshot(isKept(user)), storage)).toBe(true)
      expect([state.opened, state.closed]).toEqual([opened, 0])
    }))

  it.scoped("is not shared by concurrent snapshots, and one of two stays open", () =>
    Effect.gen(function*() {
      const { snapshot, state } = yield* counted
      const { opened } = state
      const [first, second] = [yield* begun(snapshot), yield* begun(snapshot)]
      expect([state.opened - opened, state.closed]).toEqual([2, 0])
      yield* first.end
      yield* second.end
      expect([state.opened - opened, state.closed]).toEqual([2, 1])
      yield* snapshot(Effect.void)
      expect([state.opened - opened, state.closed]).toEqual([2, 1])
    }))

  it.scoped("is closed if the snapshot cannot be ended, and the next snapshot has a new connection", () =>
    Effect.gen(function*() {
      const { snapshot, state } = yield* counted
      const { opened } = state
      state.refused = "ROLLBACK"
      yield* snapshot(Effect.void)
      expect([state.opened - opened, state.closed]).toEqual([1, 1])
      state.refused = ""
      yield* snapshot(Effect.void)
      expect([state.opened - opened, state.closed]).toEqual([2, 1])
    }))

  it.scoped.each([["BEGIN", "begin a read"], ["PRAGMA mmap_size", "map the database"]] as const)(
    "is closed if it refuses %s, which is a failure of storage: %s",
    ([refused, operation]) =>
      Effect.gen(function*() {
        const { snapshot, state } = yield* counted
        state.refused = refused
        const failure = yield* Effect.flip(snapshot(Effect.void))
        expect([failure.message, state.closed]).toEqual([`Storage failed: ${operation}`, 1])
      })
  )
})

describe("a transaction whose savepoint cannot be rolled back", () => {
  it.scoped("is rolled back as a whole, and the next one is committed", () =>
    Effect.gen(function*() {
      const { state, storage } = yield* counted
      const { atomically } = Context.get(storage, UnitOfWork)
      yield* Effect.gen(function*() {
        const saving = Effect.zipRight(Saved.user(), Effect.fail("no"))
        state.refused = "ROLLBACK TO SAVEPOINT savepoint_1"
        const failure = yield* Effect.flip(atomically(Effect.flip(atomically(saving))))
        expect(failure).toMatchObject({ message: "Storage failed: continue a transaction", cause: state.refused })
        state.refused = ""
        expect(yield* isKept(yield* Saved.user())).toBe(true)
      }).pipe(Effect.provide(storage))
    }))
})
