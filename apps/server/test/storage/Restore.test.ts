import { UserId } from "@community-messaging/domain/account/User"
import * as User from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, FiberId, Option, TestContext } from "effect"
import * as Backup from "../../src/storage/Backup.ts"
import * as Restore from "../../src/storage/Restore.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { recorded } from "./RecordedFiles.ts"

const SILENT: Backup.Progress = { copied: () => {}, checking: Effect.void }

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const storageIn = (dataDirectory: string) =>
  Storage.layer({ storage: "sqlite", migrate: true, dataDirectory, snowflakeEpoch: Date.UTC(2015, 0, 1) })

/** Saves the account in the storage of the folder, like a command that ends. */
const addUser = (directory: string, id: string) =>
  Effect.flatMap(UserRepository, ({ save }) => save(User.create({ id: UserId.make(id), username: "ada" }))).pipe(
    Effect.provide(storageIn(directory))
  )

const hasUser = (directory: string, id: string) =>
  Effect.map(Effect.flatMap(UserRepository, ({ find }) => find(UserId.make(id))), Option.isSome).pipe(
    Effect.provide(storageIn(directory))
  )

const backup = (directory: string, file: string) => Backup.run(directory, file, { replace: false }, SILENT)

/** A folder whose database has accounts 1 and 2, and a backup that has account 1 alone. */
const changedSinceBackup = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const parent = yield* folder
  const [directory, file] = [`${parent}/data`, `${parent}/backup`]
  yield* addUser(directory, "1")
  yield* backup(directory, file)
  yield* addUser(directory, "2")
  return { directory, file, files, parent }
})

/** Whether the folder still has account 2, and no other file. */
const isUnchanged = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const names = (yield* files.readDirectory(directory)).toSorted()
    return (yield* hasUser(directory, "2")) && names.join(" ") === "community-messaging.sqlite workers"
  })

layer(NodeContext.layer, { excludeTestServices: true })("a restore", (it) => {
  it.scoped("restores the state of the backup, which may be read-only, and keeps it and the replaced database", () =>
    Effect.gen(function*() {
      const { directory, file, files, parent } = yield* changedSinceBackup
      yield* files.chmod(file, 0o400)
      const before = yield* files.readFile(file)
      const { replaced } = yield* Restore.run(directory, file, SILENT)
      expect(yield* files.readFile(file)).toEqual(before)
      expect((yield* files.readDirectory(parent)).toSorted()).toEqual(["backup", "data"])
      expect([yield* hasUser(directory, "1"), yield* hasUser(directory, "2")]).toEqual([true, false])

      yield* files.makeDirectory(`${parent}/old`)
      yield* files.rename(Option.getOrThrow(replaced), `${parent}/old/community-messaging.sqlite`)
      expect(yield* hasUser(`${parent}/old`, "2")).toBe(true)
      expect((yield* files.readDirectory(directory)).toSorted()).toEqual(["community-messaging.sqlite", "workers"])
    }))

  it.scoped("removes what a killed restore left, and no other file", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      const others = [
        "community-messaging.sqlite.my.part",
        "export.ndjson.7.part",
        "community-messaging.sqlite.7.partial"
      ]
      for (
        const name of ["community-messaging.sqlite.7.part", "community-messaging.sqlite.7.part-journal", ...others]
      ) {
        yield* files.writeFileString(`${directory}/${name}`, "ada@example.org")
      }
      const { replaced } = yield* Restore.run(directory, file, SILENT)
      yield* files.remove(Option.getOrThrow(replaced))
      const names = yield* files.readDirectory(directory)
      expect(names.toSorted()).toEqual([...others, "community-messaging.sqlite", "workers"].toSorted())
    }))

  it.scoped("creates a missing folder, for its owner only", () =>
    Effect.gen(function*() {
      const { file, files, parent } = yield* changedSinceBackup
      const { replaced } = yield* Restore.run(`${parent}/new`, file, SILENT)
      const names = yield* files.readDirectory(`${parent}/new`)
      const modes = yield* Effect.forEach([".", ...names], (name) => files.stat(`${parent}/new/${name}`))
      expect(replaced).toEqual(Option.none())
      expect(names).toEqual(["community-messaging.sqlite", "workers"])
      expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([])
    }))

  it.scoped("changes nothing if it is interrupted, the storage is open, or the backup is damaged, newer or the database", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      yield* Effect.exit(Restore.run(directory, file, { ...SILENT, checking: Effect.interrupt }))
      expect(yield* isUnchanged(directory)).toBe(true)

      const inUse = yield* Effect.flip(Effect.provide(Restore.run(directory, file, SILENT), storageIn(directory)))
      expect(inUse).toMatchObject({ reason: "a server or another command uses it: stop it first" })
      expect(yield* isUnchanged(directory)).toBe(true)

      const refused = (backupFile: string) =>
        Effect.gen(function*() {
          const { message } = yield* Effect.flip(Restore.run(directory, backupFile, SILENT))
          expect(yield* isUnchanged(directory)).toBe(true)
          return message
        })
      expect(yield* refused(`${directory}/community-messaging.sqlite`)).toContain("it is the database itself")
      yield* files.link(`${directory}/community-messaging.sqlite`, `${file}-linked`)
      expect(yield* refused(`${file}-linked`)).toContain("it is the database itself")
      const bytes = yield* files.readFile(file)
      yield* files.writeFile(`${file}-damaged`, bytes.slice().fill(0xff, 4096 * 8, 4096 * 12))
      expect(yield* refused(`${file}-damaged`)).toContain(`${file}-damaged: it is damaged: `)
      yield* Effect.flatMap(
        SqliteClient.make({ filename: file, disableWAL: true }),
        (sql) => sql`INSERT INTO community_messaging_migrations (migration_id, name) VALUES (999, 'newer')`
      ).pipe(Effect.provide(Reactivity.layer), Effect.scoped)
      expect(yield* refused(file)).toContain(`${file}: The database has schema version 999`)
    }))

  it.scoped("prevents the storage from being opened until it ends", () =>
    Effect.gen(function*() {
      const { directory, file } = yield* changedSinceBackup
      let refused: unknown
      const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      yield* Restore.run(directory, file, {
        ...SILENT,
        checking: Effect.map(Effect.exit(Effect.provide(hasUser(directory, "1"), context)), (exit) => {
          refused = exit
        })
      })
      expect(refused).toMatchObject({ cause: { error: { reason: "a backup is being restored into it" } } })
    }))

  it.scoped("replaces a damaged database, and keeps it with its write-ahead log", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      yield* files.writeFileString(`${directory}/community-messaging.sqlite`, "no database")
      yield* files.writeFileString(`${directory}/community-messaging.sqlite-wal`, "log")
      const replaced = Option.getOrThrow((yield* Restore.run(directory, file, SILENT)).replaced)
      expect(yield* hasUser(directory, "1")).toBe(true)
      expect(yield* files.readFileString(replaced)).toBe("no database")
      expect(yield* files.readFileString(`${replaced}-wal`)).toBe("log")
    }))

  it.scoped.each([["write-ahead log", "-wal"], ["rollback journal", "-journal"]] as const)(
    "keeps the %s of a removed database away from the restored one",
    ([, suffix]) =>
      Effect.gen(function*() {
        const { directory, file, files } = yield* changedSinceBackup
        yield* files.remove(`${directory}/community-messaging.sqlite`)
        yield* files.writeFileString(`${directory}/community-messaging.sqlite${suffix}`, "log")
        const { replaced } = yield* Restore.run(directory, file, SILENT)
        expect(replaced).toEqual(Option.none())
        const logs = (yield* files.readDirectory(directory)).filter((name) => name.endsWith(suffix))
        expect(yield* Effect.forEach(logs, (name) => files.readFileString(`${directory}/${name}`))).toEqual(["log"])
        expect(logs).not.toContain(`community-messaging.sqlite${suffix}`)
        expect([yield* hasUser(directory, "1"), yield* hasUser(directory, "2")]).toEqual([true, false])
      })
  )

  it.scoped("keeps each replaced database of three restores in the same second", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      const replaced = yield* Effect.forEach(["first", "second", "third"], (content) =>
        Effect.gen(function*() {
          yield* files.writeFileString(`${directory}/community-messaging.sqlite`, content)
          return Option.getOrThrow((yield* Restore.run(directory, file, SILENT)).replaced)
        })).pipe(Effect.provide(TestContext.TestContext))
      expect(yield* Effect.forEach(replaced, (path) => files.readFileString(path))).toEqual([
        "first",
        "second",
        "third"
      ])
    }))

  it.scoped("keeps the log of a removed database, also if another one is removed in the same second", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      const database = `${directory}/community-messaging.sqlite`
      yield* Effect.forEach(["first", "second"], (content) =>
        Effect.gen(function*() {
          yield* files.remove(database)
          yield* files.writeFileString(`${database}-wal`, content)
          yield* Restore.run(directory, file, SILENT)
        })).pipe(Effect.provide(TestContext.TestContext))
      const logs = (yield* files.readDirectory(directory)).filter((name) => name.endsWith("-wal"))
      const contents = yield* Effect.forEach(logs, (name) => files.readFileString(`${directory}/${name}`))
      expect(contents.toSorted()).toEqual(["first", "second"])
    }))

  it.scoped("ends once it has begun to replace the database, also if it is interrupted", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      const [replacing, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const remove: typeof files.remove = (path, options) =>
        path === `${directory}/community-messaging.sqlite-shm`
          ? Effect.zipRight(Deferred.succeed(replacing, undefined), Deferred.await(goOn))
          : files.remove(path, options)
      const restoring = yield* Effect.fork(
        Effect.provideService(Restore.run(directory, file, SILENT), FileSystem.FileSystem, { ...files, remove })
      )
      yield* Deferred.await(replacing)
      yield* Fiber.interruptAsFork(restoring, FiberId.none)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.await(restoring)
      expect([yield* hasUser(directory, "1"), yield* hasUser(directory, "2")]).toEqual([true, false])
    }))

  it.scoped("makes the copy durable before it replaces the database, and then its name", () =>
    Effect.gen(function*() {
      const { directory, file } = yield* changedSinceBackup
      const temporary = `${directory}/community-messaging.sqlite.${process.pid}.part`
      expect(yield* recorded(Restore.run(directory, file, SILENT))).toEqual([
        ["sync", temporary],
        ["rename", temporary],
        ["sync", directory]
      ])
    }))

  it.scoped("refuses a missing file, a folder and another file, and creates no folder", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const parent = yield* folder
      yield* files.writeFileString(`${parent}/text`, "text")
      const refused = [
        ["none", "there is no such file"],
        [".", "it is not a regular file"],
        ["text", "it is not a database of this program"]
      ] as const
      for (const [name, reason] of refused) {
        const error = yield* Effect.flip(Restore.run(`${parent}/data`, `${parent}/${name}`, SILENT))
        expect(error.message).toBe(`${parent}/${name}: ${reason}`)
        expect(yield* files.exists(`${parent}/data`)).toBe(false)
      }
    }))

  it.scoped("refuses a backup that this user must not read, and names it", () =>
    Effect.gen(function*() {
      const { directory, file, files } = yield* changedSinceBackup
      // Mode 0 would not stop root.
      const denied = new SystemError({
        reason: "PermissionDenied",
        module: "FileSystem",
        method: "access",
        description: `EACCES: permission denied, access '${file}'`
      })
      const access: typeof files.access = (path, options) =>
        path === file && options?.readable === true
          ? denied
          : files.access(path, options)
      const error = yield* Restore.run(directory, file, SILENT).pipe(
        Effect.provideService(FileSystem.FileSystem, { ...files, access }),
        Effect.flip
      )
      expect(error).toBe(denied)
    }))
})

layer(NodeContext.layer, { excludeTestServices: true })("a backup", (it) => {
  it.scoped("is made while the storage is open, contains all commits, and is for its owner only", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const parent = yield* folder
      const [directory, file] = [`${parent}/data`, `${parent}/backup`]
      yield* Effect.gen(function*() {
        const users = yield* UserRepository
        yield* users.save(User.create({ id: UserId.make("1"), username: "ada" }))
        yield* backup(directory, file)
      }).pipe(Effect.provide(storageIn(directory)))
      expect((yield* files.stat(file)).mode & 0o777).toBe(0o600)
      expect((yield* files.readDirectory(parent)).toSorted()).toEqual(["backup", "data"])
      yield* Restore.run(`${parent}/elsewhere`, file, SILENT)
      expect(yield* hasUser(`${parent}/elsewhere`, "1")).toBe(true)
    }))

  it.scoped("never takes the place of a lock, which two processes could then have", () =>
    Effect.gen(function*() {
      const directory = `${yield* folder}/data`
      yield* addUser(directory, "1")
      for (const name of ["workers/use.lock", "demo.lock", "demo-start.lock"]) {
        const error = yield* Effect.flip(Backup.run(directory, `${directory}/${name}`, { replace: true }, SILENT))
        expect(error.message).toBe(`${directory}/${name}: it is a file of the database`)
      }
    }))

  it.scoped("of a file that is not a database names the file", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const parent = yield* folder
      const database = `${parent}/data/community-messaging.sqlite`
      yield* files.makeDirectory(`${parent}/data`)
      yield* files.writeFileString(database, "no database")
      const error = yield* Effect.flip(backup(`${parent}/data`, `${parent}/backup`))
      expect(error.message).toBe(`${database}: Storage failed: read the database: file is not a database`)
    }))

  it.scoped("of a damaged database is removed", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const parent = yield* folder
      yield* addUser(`${parent}/data`, "1")
      const database = `${parent}/data/community-messaging.sqlite`
      const bytes = yield* files.readFile(database)
      bytes.fill(0xff, 4096 * 8, 4096 * 12)
      yield* files.writeFile(database, bytes)
      const error = yield* Effect.flip(backup(`${parent}/data`, `${parent}/backup`))
      expect(error._tag).toBe("DatabaseInvalid")
      expect(yield* files.readDirectory(parent)).toEqual(["data"])
    }))
})
