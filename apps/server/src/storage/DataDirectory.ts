import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { SERVER_DATABASE } from "@community-messaging/storage-sqlite/WorkerLock"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Data, Effect, Predicate, Schedule } from "effect"

/** The folder in DATA_DIR cannot be created or written. */
export class DataDirectoryUnusable extends Data.TaggedError("DataDirectoryUnusable")<{
  readonly path: string
  readonly reason: string
}> {}

/** Folder permissions for its owner only, because the database contains personal data. */
const OWNER_ONLY = 0o700

/** Returns the messages of an error and its causes, innermost last. */
export const messages = (error: unknown): ReadonlyArray<string> =>
  Predicate.isError(error) ? [error.message.trim(), ...messages(error.cause)] : []

/** Describes an error in one line. The message of a system's error also has the parts of the program that called it. */
export const reasonOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "description") && Predicate.isString(cause.description)
    ? cause.description
    : messages(cause).join(": ")

/** Makes the error from its cause. */
export const unusable = (path: string, cause: unknown): DataDirectoryUnusable =>
  new DataDirectoryUnusable({ path, reason: reasonOf(cause) })

/** Returns the path of the database file in the folder. */
export const databaseFile = (directory: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(directory, SERVER_DATABASE))

/** The longest time in which another process that creates the database writes its first bytes and tables, in real time. */
export const CREATION = Schedule.upTo(Schedule.spaced("20 millis"), "3 seconds")

/**
 * Fails if the folder has a database file without content: its data was lost, and a start without data would hide that. A
 * missing file is no failure.
 */
export const requireContent = (
  directory: string
): Effect.Effect<void, DataDirectoryUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* databaseFile(directory)
    const isEmpty = Effect.if(files.exists(file), {
      onTrue: () => Effect.map(files.stat(file), ({ size }) => size === 0n),
      onFalse: () => Effect.succeed(false)
    })
    yield* Effect.repeat(isEmpty, { while: (empty) => empty, schedule: CREATION })
    if (!(yield* isEmpty)) return
    return yield* new DataDirectoryUnusable({
      path: directory,
      reason: "its database file is empty: restore a backup, or remove the file to begin without data; " +
        "if another process is creating the database, start again"
    })
  }).pipe(
    Effect.mapError((error) => error._tag === "DataDirectoryUnusable" ? error : unusable(directory, error)),
    Effect.withClock(realTime)
  )

/**
 * Creates the folder for its owner only unless it exists, and its parents one by one. In folders of the system such as
 * `/proc`, Node's own recursive creation never ends.
 */
export const create = (
  directory: string
): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* files.exists(directory)) return
    const parent = path.dirname(directory)
    if (parent !== directory) yield* create(parent)
    // Another process may create it at the same time.
    yield* Effect.catchIf(
      files.makeDirectory(directory, { mode: OWNER_ONLY }),
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  })

/** Creates the folder unless it exists, and checks that it is a folder and writable. */
export const prepare = (
  directory: string
): Effect.Effect<void, DataDirectoryUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    yield* create(directory)
    if ((yield* files.stat(directory)).type !== "Directory") {
      return yield* new DataDirectoryUnusable({ path: directory, reason: "it is not a folder" })
    }
    yield* files.access(directory, { writable: true })
  }).pipe(Effect.mapError((error) => error._tag === "DataDirectoryUnusable" ? error : unusable(directory, error)))
