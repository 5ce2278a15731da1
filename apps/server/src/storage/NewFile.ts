import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Data, Effect, Option } from "effect"

/** The file must not or cannot be written or read. */
export class FileRefused extends Data.TaggedError("FileRefused")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.path}: ${this.reason}`
  }
}

/** Only the owner may read the file, because it contains personal data. */
const OWNER_ONLY = 0o600

/** What to do with an existing file, and which files to keep in any case. */
export interface Options {
  readonly replace: boolean
  /** The files of the database, and folders of them, which are never replaced. */
  readonly keep: ReadonlyArray<string>
}

const refuse = (path: string, reason: string): Effect.Effect<never, FileRefused> =>
  Effect.fail(new FileRefused({ path, reason }))

const EXISTS = "it exists: use --force to replace it"

/** The files that SQLite has beside a database while a process uses it, and after the process was killed. */
export const BESIDE_DATABASE = ["-wal", "-shm", "-journal"]

/**
 * Refuses to write a database that a process uses, or a part of it: SQLite would apply its log to the new file. The file may
 * have been removed without its log.
 */
const refuseDatabaseInUse = (path: string, file: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const suffix = BESIDE_DATABASE.find((each) => file.endsWith(each)) ?? ""
    const database = file.slice(0, file.length - suffix.length)
    const isInUse = yield* Effect.exists(BESIDE_DATABASE, (beside) => files.exists(`${database}${beside}`))
    if (isInUse) return yield* refuse(path, "a process uses the database of this name, or used it when it was killed")
  })

/**
 * Returns the path of the file to write, without links. Refuses a device, a folder and other files that are not regular, and
 * an existing file that may not be replaced, such as a database in use.
 */
const target = (path: string, { keep, replace }: Options) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const names = yield* Path.Path
    const folder = names.dirname(path)
    if (!(yield* files.exists(folder))) return yield* refuse(path, `there is no folder ${folder}`)
    const found = yield* files.exists(path)
    const file = found
      ? yield* files.realPath(path)
      : names.join(yield* files.realPath(folder), names.basename(path))
    for (const kept of keep) {
      const keptFolder = yield* Effect.option(files.realPath(names.dirname(kept)))
      const isKept = (real: string) =>
        `${file}${names.sep}`.startsWith(`${names.join(real, names.basename(kept))}${names.sep}`)
      if (Option.exists(keptFolder, isKept)) {
        return yield* refuse(path, "it is a file of the database")
      }
    }
    if (found && (yield* files.stat(file)).type !== "File") return yield* refuse(path, "it is not a regular file")
    if (found && !replace) return yield* refuse(path, EXISTS)
    yield* refuseDatabaseInUse(path, file)
    return file
  })

/** Gives the complete file its name. Without `replace`, never replaces a file that appeared in the meantime. */
const rename = (temporary: string, file: string, { replace }: Options) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    // A server may have started while the new file was written.
    yield* refuseDatabaseInUse(file, file)
    if (replace) return yield* files.rename(temporary, file)
    yield* Effect.catchTag(files.link(temporary, file), "SystemError", (error) =>
      Effect.gen(function*() {
        const appeared = error.reason === "AlreadyExists" || (yield* files.exists(file))
        // Some file systems have no links.
        return appeared ? yield* refuse(file, EXISTS) : yield* files.rename(temporary, file)
      }))
  })

const sync = (flag: FileSystem.OpenFlag) => (path: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(
    FileSystem.FileSystem,
    (files) => Effect.scoped(Effect.flatMap(files.open(path, { flag }), (file) => file.sync))
  )

/** Makes the names of the files in the folder durable. */
export const syncFolder = sync("r")

/** Makes the content of the file durable. */
export const syncFile = sync("r+")

/**
 * Makes an empty file beside the path, for its owner only. The end of the scope removes it, together with the files that
 * SQLite has beside it.
 */
export const temporaryBeside = (path: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const temporary = `${path}.${process.pid}.part`
    const remove = Effect.forEach(
      ["", ...BESIDE_DATABASE],
      (suffix) => files.remove(`${temporary}${suffix}`, { force: true }),
      { discard: true }
    )
    yield* Effect.zipRight(remove, Effect.addFinalizer(() => Effect.ignore(remove)))
    yield* Effect.scoped(files.open(temporary, { flag: "wx", mode: OWNER_ONLY }))
    return temporary
  })

/**
 * Writes a file that gets its name only when it is complete and durable: `fill` writes an empty file beside it, which is
 * synced and then renamed. Only its owner may read the file. If anything fails, no part of it remains, and an existing
 * file is unchanged.
 */
export const write = <A, E, R>(
  path: string,
  options: Options,
  fill: (temporary: string) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | FileRefused | PlatformError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.scoped(Effect.gen(function*() {
    const names = yield* Path.Path
    const file = yield* target(path, options)
    const temporary = yield* temporaryBeside(file)
    const result = yield* fill(temporary)
    yield* syncFile(temporary)
    yield* rename(temporary, file, options)
    yield* syncFolder(names.dirname(file))
    return result
  }))
