import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"

const temporaryDirectory = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

layer(NodeContext.layer)("the data directory", (it) => {
  it.scoped("is created with its parents, for its owner only", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = `${yield* temporaryDirectory}/service/data`
      yield* DataDirectory.prepare(directory)
      const { mode, type } = yield* files.stat(directory)
      expect([type, mode & 0o777]).toEqual(["Directory", 0o700])
    }))

  it.scoped("may exist already, and may be created by several processes at a time", () =>
    Effect.gen(function*() {
      const directory = `${yield* temporaryDirectory}/data`
      yield* Effect.replicateEffect(DataDirectory.prepare(directory), 5, { concurrency: "unbounded", discard: true })
      yield* DataDirectory.prepare(directory)
    }))

  it.scoped("cannot be a file or below a file, or in a folder of the system that allows no files", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      const unusable = [
        [file, "it is not a folder"],
        [`${file}/data`, "ENOTDIR"],
        // Node's own recursive creation never ends there.
        ["/proc/nowhere/data", ""]
      ] as const
      for (const [path, reason] of unusable) {
        const failure = yield* Effect.flip(DataDirectory.prepare(path))
        expect(failure).toMatchObject({ _tag: "DataDirectoryUnusable", path })
        expect(failure.reason).toContain(reason)
      }
    }))
})
