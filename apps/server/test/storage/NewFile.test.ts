import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import * as NewFile from "../../src/storage/NewFile.ts"
import { recorded } from "./RecordedFiles.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Writes `new` to the file. */
const writeNew = (file: string, options: Partial<NewFile.Options> = {}, meanwhile: Effect.Effect<void> = Effect.void) =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) =>
      NewFile.write(
        file,
        { replace: false, keep: [], ...options },
        (temporary) => Effect.zipRight(meanwhile, files.writeFileString(temporary, "new"))
      )
  )

layer(NodeContext.layer)("a new file", (it) => {
  it.scoped("is for its owner only, also if it replaces a file for all users", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* folder}/file`
      yield* files.writeFileString(file, "old", { mode: 0o644 })
      yield* writeNew(file, { replace: true })
      expect([yield* files.readFileString(file), (yield* files.stat(file)).mode & 0o777]).toEqual(["new", 0o600])
    }))

  it.scoped("does not exist before it is complete", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* folder}/file`
      let seen = true
      yield* writeNew(
        file,
        {},
        Effect.map(Effect.orDie(files.exists(file)), (found) => {
          seen = found
        })
      )
      expect([seen, yield* files.exists(file)]).toEqual([false, true])
    }))

  it.scoped("is durable before it gets its name, and its name is durable at the end", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const temporary = `${directory}/file.${process.pid}.part`
      expect(yield* recorded(writeNew(`${directory}/file`, { replace: true }))).toEqual([
        ["sync", temporary],
        ["rename", temporary],
        ["sync", directory]
      ])
    }))

  it.scoped("does not replace a file that appears while it is written", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* folder}/file`
      const error = yield* Effect.flip(writeNew(file, {}, Effect.orDie(files.writeFileString(file, "of another"))))
      expect([error.message, yield* files.readFileString(file)]).toEqual([
        `${file}: it exists: use --force to replace it`,
        "of another"
      ])
    }))

  it.scoped("leaves the old file and nothing else when it is interrupted", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* folder
      yield* files.writeFileString(`${directory}/file`, "old")
      yield* Effect.exit(writeNew(`${directory}/file`, { replace: true }, Effect.interrupt))
      const left = yield* files.readDirectory(directory)
      expect([left, yield* files.readFileString(`${directory}/file`)]).toEqual([["file"], "old"])
    }))

  it.scoped("replaces the target of a link, and keeps the link", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* folder
      yield* files.writeFileString(`${directory}/file`, "old")
      yield* files.symlink(`${directory}/file`, `${directory}/link`)
      yield* writeNew(`${directory}/link`, { replace: true })
      expect(yield* files.readLink(`${directory}/link`)).toBe(`${directory}/file`)
      expect(yield* files.readFileString(`${directory}/file`)).toBe("new")
    }))

  it.scoped("never takes the place of a file of the database, also behind a link, in its folder or in the future", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* folder
      const [database, locks] = [`${directory}/database`, `${directory}/locks`]
      yield* files.makeDirectory(locks)
      yield* files.writeFileString(database, "data")
      yield* files.writeFileString(`${locks}/use`, "lock")
      yield* files.symlink(database, `${directory}/link`)
      const keep = [database, `${database}-wal`, locks]
      const detour = `${directory}/../${directory.split("/").at(-1) ?? ""}/database`
      for (const file of [`${directory}/link`, detour, `${locks}/use`, `${database}-wal`]) {
        const error = yield* Effect.flip(writeNew(file, { replace: true, keep }))
        expect(error.message).toBe(`${file}: it is a file of the database`)
      }
      expect([yield* files.readFileString(database), yield* files.readFileString(`${locks}/use`)]).toEqual([
        "data",
        "lock"
      ])
      yield* writeNew(`${locks}-beside`, { keep })
    }))

  it.scoped("never replaces a database that a process uses, or its log", () =>
    Effect.gen(function*() {
      const database = `${yield* folder}/of-another-server`
      const reason = "a process uses the database of this name, or used it when it was killed"
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(SqliteDatabase.layer({ filename: database }))
        for (const file of [database, `${database}-wal`]) {
          const { message } = yield* Effect.flip(writeNew(file, { replace: true }))
          expect(message).toBe(`${file}: ${reason}`)
        }
      }))
      yield* writeNew(database, { replace: true })
    }))

  it.scoped("does not get the name of a removed database whose log is left", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const database = `${yield* folder}/removed`
      yield* files.writeFileString(`${database}-wal`, "log")
      const { message } = yield* Effect.flip(writeNew(database, { replace: false }))
      expect(message).toBe(`${database}: a process uses the database of this name, or used it when it was killed`)
    }))

  it.scoped("does not replace a database that a process begins to use while the file is written", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const database = `${yield* folder}/of-another-server`
      yield* files.writeFileString(database, "")
      const server = yield* Scope.make()
      const starts = Effect.orDie(Scope.extend(Layer.build(SqliteDatabase.layer({ filename: database })), server))
      const { message } = yield* Effect.flip(writeNew(database, { replace: true }, Effect.asVoid(starts)))
      expect(message).toContain("a process uses the database of this name")
      yield* Scope.close(server, Exit.void)
    }))

  it.scoped("requires an existing folder, and cannot be one", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const missing = yield* Effect.flip(writeNew(`${directory}/none/file`))
      expect(missing.message).toBe(`${directory}/none/file: there is no folder ${directory}/none`)
      const error = yield* Effect.flip(writeNew(directory, { replace: true }))
      expect(error.message).toBe(`${directory}: it is not a regular file`)
    }))
})
