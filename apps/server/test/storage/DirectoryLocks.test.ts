import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import { acquireWorkerNumber } from "../../src/storage/DirectoryLocks.ts"

const temporaryDirectory = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

layer(NodeContext.layer)("the worker number", (it) => {
  it.scoped("gives each of several holders its own number, and again once its holder has ended", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const three = Effect.forEach([0, 1, 2], () => acquireWorkerNumber(directory))
      expect(yield* Effect.scoped(three)).toEqual([0, 1, 2])
      expect(yield* three).toEqual([0, 1, 2])
    }))

  it.scoped("does not take the number of a service on the same database", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      const ofService = WorkerLock.acquire(yield* DataDirectory.databaseFile(directory), 0)
      yield* Effect.scoped(Effect.gen(function*() {
        expect([yield* ofService, yield* acquireWorkerNumber(directory)]).toEqual([true, 1])
      }))
      expect([yield* acquireWorkerNumber(directory), yield* ofService]).toEqual([0, false])
    }))

  it.scoped("reports that the folder cannot be used, or its lock file cannot be locked", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* files.makeDirectory(`${directory}/workers/0.lock`, { recursive: true })
      expect((yield* Effect.flip(acquireWorkerNumber(directory)))._tag).toBe("DataDirectoryUnusable")
      const file = yield* files.makeTempFileScoped()
      expect(yield* Effect.flip(acquireWorkerNumber(file))).toMatchObject({
        _tag: "DataDirectoryUnusable",
        path: file
      })
    }))
})
