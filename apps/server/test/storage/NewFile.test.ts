import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NewFile from "../../src/storage/NewFile.ts"

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

  for (const link of [false, true]) {
    it.scoped(`never replaces a file of the database${link ? " behind a link" : ""}`, () =>
      Effect.gen(function*() {
        const files = yield* FileSystem.FileSystem
        const directory = yield* folder
        const database = `${directory}/database`
        yield* files.writeFileString(database, "data")
        yield* files.symlink(database, `${directory}/link`)
        const file = link ? `${directory}/link` : `${directory}/../${directory.split("/").at(-1) ?? ""}/database`
        const error = yield* Effect.flip(writeNew(file, { replace: true, keep: [database] }))
        expect([error.message, yield* files.readFileString(database)]).toEqual([
          `${file}: it is a file of the database`,
          "data"
        ])
      }))
  }

  it.scoped("never replaces a database that a process uses, or its log", () =>
    Effect.gen(function*() {
      const database = `${yield* folder}/of-another-server`
      const refused = (file: string) =>
        Effect.map(Effect.flip(writeNew(file, { replace: true })), ({ message }) => message)
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(SqliteDatabase.layer({ filename: database }))
        expect(yield* refused(database)).toBe(`${database}: it is a database that a process uses`)
        expect(yield* refused(`${database}-wal`)).toBe(`${database}-wal: it is a database that a process uses`)
      }))
      yield* writeNew(database, { replace: true })
    }))

  it.scoped("cannot take the name of a future database", () =>
    Effect.gen(function*() {
      const log = `${yield* folder}/database-wal`
      const error = yield* Effect.flip(writeNew(log, { keep: [log] }))
      expect(error.message).toBe(`${log}: it is a file of the database`)
    }))

  it.scoped("never replaces a file in a folder of the database", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* folder
      const locks = `${directory}/locks`
      yield* files.makeDirectory(locks)
      yield* files.writeFileString(`${locks}/use`, "lock")
      const error = yield* Effect.flip(writeNew(`${locks}/use`, { replace: true, keep: [locks] }))
      expect([error.message, yield* files.readFileString(`${locks}/use`)]).toEqual([
        `${locks}/use: it is a file of the database`,
        "lock"
      ])
      yield* writeNew(`${locks}-beside`, { keep: [locks] })
    }))

  it.scoped("requires an existing folder", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const error = yield* Effect.flip(writeNew(`${directory}/none/file`))
      expect(error.message).toBe(`${directory}/none/file: there is no folder ${directory}/none`)
    }))

  it.scoped("cannot be a folder", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const error = yield* Effect.flip(writeNew(directory, { replace: true }))
      expect(error.message).toBe(`${directory}: it is not a regular file`)
    }))
})
