import * as DatabaseCheck from "@community-messaging/storage-sqlite/DatabaseCheck"
import * as SoleAccess from "@community-messaging/storage-sqlite/SoleAccess"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { DateTime, Effect, Equal, Option } from "effect"
import { copyAndCheck, databaseFiles, type Progress } from "./Backup.ts"
import * as DataDirectory from "./DataDirectory.ts"
import * as DirectoryLocks from "./DirectoryLocks.ts"
import { FileRefused, syncFile, syncFolder, temporaryBeside } from "./NewFile.ts"

/** The error is about the file, not about the database that it replaces. */
const refuseInvalid = (file: string) => {
  const refuse = ({ message }: Error) => new FileRefused({ path: file, reason: message })
  return { DatabaseInvalid: refuse, UnknownSchemaVersion: refuse }
}

/** Whether two names are of one file, also by a hard link, which a restore that is killed can leave. */
const isSameFile = (one: FileSystem.File.Info, other: FileSystem.File.Info): boolean =>
  one.dev === other.dev && Option.isSome(one.ino) && Equal.equals(one.ino, other.ino)

const requireBackup = (file: string, database: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(file))) return yield* new FileRefused({ path: file, reason: "there is no such file" })
    const info = yield* files.stat(file)
    if (info.type !== "File") return yield* new FileRefused({ path: file, reason: "it is not a regular file" })
    yield* files.access(file, { readable: true })
    const own = yield* Effect.forEach(database, (path) => Effect.option(files.stat(path)))
    if (own.some(Option.exists((other) => isSameFile(info, other)))) {
      return yield* new FileRefused({ path: file, reason: "it is the database itself" })
    }
    yield* Effect.catchTags(DatabaseCheck.identify(file), refuseInvalid(file))
  })

const LOG_SUFFIXES = ["-wal", "-journal"]

/**
 * A name with the time, such as `community-messaging.sqlite.replaced-20270328T093000Z`, and a number if necessary. No database
 * and no log has it.
 */
const nameForReplaced = (database: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const isUsed = (name: string) => Effect.exists(["", ...LOG_SUFFIXES], (suffix) => files.exists(`${name}${suffix}`))
    const time = DateTime.formatIso(yield* DateTime.now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "")
    const first = `${database}.replaced-${time}`
    let name = first
    for (let number = 2; yield* isUsed(name); number += 1) name = `${first}-${number}`
    return name
  })

/** Locks the replaced database. A damaged one cannot be locked, but is still replaced. */
const lockReplaced = (directory: string, database: string) =>
  Effect.gen(function*() {
    const isAlone = yield* Effect.orElseSucceed(SoleAccess.acquire(database), () => true)
    if (!isAlone) {
      return yield* new DataDirectory.DataDirectoryUnusable({
        path: directory,
        reason: "another program has its database open: stop it first"
      })
    }
  })

/**
 * Renames the database, if it exists, and its write-ahead log, which a removed or damaged one may have, too: the log must not be
 * applied to another database.
 */
const moveAway = (database: string, exists: boolean) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const replaced = yield* nameForReplaced(database)
    if (exists) {
      // With a link, there is a database at each moment. Some file systems have no links.
      yield* Effect.catchTag(files.link(database, replaced), "SystemError", () => files.rename(database, replaced))
    }
    for (const suffix of LOG_SUFFIXES) {
      if (yield* files.exists(`${database}${suffix}`)) {
        yield* files.rename(`${database}${suffix}`, `${replaced}${suffix}`)
      }
    }
    yield* files.remove(`${database}-shm`, { force: true })
    return exists ? Option.some(replaced) : Option.none()
  })

/** Removes what a killed restore left. With the folder to itself, no other restore runs. */
const removeParts = (database: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const names = yield* Path.Path
    const folder = names.dirname(database)
    const start = `${names.basename(database)}.`
    const isPart = (name: string) =>
      name.startsWith(start) && /^\d+\.part(-journal|-wal|-shm)?$/.test(name.slice(start.length))
    const parts = (yield* files.readDirectory(folder)).filter(isPart)
    yield* Effect.forEach(parts, (name) => files.remove(names.join(folder, name), { force: true }), { discard: true })
  })

/**
 * Replaces the database in the folder by a backup. The backup is copied beside the database and checked before anything
 * is replaced; the replaced database stays under another name. Fails if another process uses the database. Returns the
 * version of the schema in the backup, and the path of the replaced database; none if there was none.
 */
export const run = (directory: string, file: string, progress: Progress) =>
  Effect.scoped(Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const names = yield* Path.Path
    yield* requireBackup(file, yield* databaseFiles(directory))
    yield* DataDirectory.prepare(directory)
    yield* DirectoryLocks.alone(directory)
    const database = yield* DataDirectory.databaseFile(directory)
    yield* removeParts(database)
    const exists = yield* files.exists(database)
    if (exists) yield* lockReplaced(directory, database)
    const temporary = yield* temporaryBeside(database)
    const copied = copyAndCheck({ filename: file, readonly: true }, temporary, progress)
    const version = yield* Effect.catchTags(copied, refuseInvalid(file))
    yield* syncFile(temporary)
    const replaced = yield* Effect.uninterruptible(Effect.gen(function*() {
      const kept = yield* moveAway(database, exists)
      yield* files.rename(temporary, database)
      yield* syncFolder(names.dirname(database))
      return kept
    }))
    return { version, replaced }
  }))
