import * as FileLock from "@community-messaging/storage-sqlite/FileLock"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { dirname } from "node:path"
import { temporaryFilename } from "./TemporaryDatabase.ts"

describe("FileLock", () => {
  it.scoped("grants a lock to one holder at a time, which keeps it when another attempt fails, and again after its end", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFilename
      yield* Effect.scoped(FileLock.acquire(file))
      expect(yield* FileLock.acquire(file)).toBe(true)
      expect(yield* Effect.scoped(FileLock.acquire(file))).toBe(false)
      expect([yield* FileLock.acquire(file), yield* FileLock.acquire(file, "shared")]).toEqual([false, false])
    }))

  it.scoped("grants a shared lock to several holders, and then no exclusive lock", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFilename
      const shared = [yield* FileLock.acquire(file, "shared"), yield* FileLock.acquire(file, "shared")]
      expect([...shared, yield* FileLock.acquire(file)]).toEqual([true, true, false])
    }))

  it.scoped("returns whether the exclusive lock is held, without blocking others", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFilename
      yield* Effect.scoped(
        Effect.gen(function*() {
          yield* FileLock.acquire(file, "shared")
          expect(yield* FileLock.isHeld(file)).toBe(false)
        })
      )
      expect([yield* FileLock.isHeld(file), yield* FileLock.acquire(file)]).toEqual([false, true])
      expect(yield* FileLock.isHeld(file)).toBe(true)
    }))

  it.scoped("fails if a file cannot be locked at all", () =>
    Effect.gen(function*() {
      const directory = dirname(yield* temporaryFilename)
      expect((yield* Effect.flip(FileLock.acquire(directory)))._tag).toBe("StorageError")
    }))
})
