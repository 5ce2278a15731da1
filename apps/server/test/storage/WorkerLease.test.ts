import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import * as WorkerLease from "../../src/storage/WorkerLease.ts"

const temporaryDirectory = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

layer(NodeContext.layer)("WorkerLease", (it) => {
  it.scoped("gives each of several holders its own number", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const numbers = yield* Effect.forEach([0, 1, 2], () => WorkerLease.acquire(directory))
      expect(numbers).toEqual([0, 1, 2])
    }))

  it.scoped("gives a number again once its holder has ended", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const first = yield* Effect.scoped(WorkerLease.acquire(directory))
      expect(yield* WorkerLease.acquire(directory)).toBe(first)
    }))

  it.scoped("does not take the number of a service on the same database", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const ofService = WorkerLock.acquire(yield* DataDirectory.databaseFile(directory), 0)
      yield* Effect.scoped(Effect.gen(function*() {
        expect([yield* ofService, yield* WorkerLease.acquire(directory)]).toEqual([true, 1])
      }))
      expect([yield* WorkerLease.acquire(directory), yield* ofService]).toEqual([0, false])
    }))

  it.scoped("reports that the folder cannot be used", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      const error = yield* Effect.flip(WorkerLease.acquire(file))
      expect(error).toMatchObject({ _tag: "DataDirectoryUnusable", path: file })
    }))

  it.scoped("reports that a lock file cannot be locked at all", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* files.makeDirectory(`${directory}/workers/0.lock`, { recursive: true })
      const error = yield* Effect.flip(WorkerLease.acquire(directory))
      expect(error._tag).toBe("DataDirectoryUnusable")
    }))
})
