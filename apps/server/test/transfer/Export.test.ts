import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as FileSystem from "@effect/platform/FileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { COMMUNITY, toText } from "./Community.ts"
import { exportTo, importText, inMemory } from "./Transfer.ts"

const temporaryDirectory = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** The storage in memory, but its accounts cannot be read. */
const broken = Layer.map(inMemory, (context) =>
  Context.add(context, UserRepository, {
    ...Context.get(context, UserRepository),
    list: () => Effect.fail(new StorageError({ operation: "list users" }))
  }))

describe("an export", () => {
  it.scoped("counts its records", () =>
    Effect.gen(function*() {
      const directory = yield* temporaryDirectory
      yield* importText(toText(COMMUNITY))
      const summary = yield* exportTo(`${directory}/export.ndjson`)
      expect(Array.from(summary)).toEqual([
        ["user", 3],
        ["guild", 1],
        ["role", 2],
        ["channel", 1],
        ["member", 2],
        ["application", 2],
        ["avatar", 1],
        ["webhook", 1],
        ["scheduled_message", 2],
        ["message", 2],
        ["credential", 3],
        ["consent", 1]
      ])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("leaves only the file", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* exportTo(`${directory}/export.ndjson`)
      expect(yield* files.readDirectory(directory)).toEqual(["export.ndjson"])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("replaces the target of a link, and keeps the link", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* files.writeFileString(`${directory}/file`, "old")
      yield* files.symlink(`${directory}/file`, `${directory}/link`)
      yield* exportTo(`${directory}/link`, true)
      expect(yield* files.readLink(`${directory}/link`)).toBe(`${directory}/file`)
      expect(yield* files.readFileString(`${directory}/file`)).not.toBe("old")
    }).pipe(Effect.provide(inMemory)))

  it.scoped("replaces only a regular file", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* files.symlink("/dev/null", `${directory}/device`)
      const error = yield* Effect.flip(exportTo(`${directory}/device`, true))
      expect(error.message).toContain("not a regular file")
      expect(yield* files.readDirectory(directory)).toEqual(["device"])
    }).pipe(Effect.provide(inMemory)))

  it.scoped("that fails keeps the existing file, and leaves no part of itself", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* temporaryDirectory
      yield* files.writeFileString(`${directory}/export.ndjson`, "old")
      yield* Effect.flip(exportTo(`${directory}/export.ndjson`, true))
      const left = yield* files.readDirectory(directory)
      expect([left, yield* files.readFileString(`${directory}/export.ndjson`)]).toEqual([["export.ndjson"], "old"])
    }).pipe(Effect.provide(broken)))
})
