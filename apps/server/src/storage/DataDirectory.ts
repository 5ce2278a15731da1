import { FileSystem, Path } from "@effect/platform"
import { Data, Effect, Predicate } from "effect"

/** The folder that DATA_DIR names can not be made or written to. */
export class DataDirectoryUnusable extends Data.TaggedError("DataDirectoryUnusable")<{
  readonly path: string
  readonly reason: string
}> {}

/** The permissions of a folder that its owner alone may look into: the database holds personal data. */
export const OWNER_ONLY = 0o700

/** The messages of an error and of what caused it, innermost last. */
export const messages = (error: unknown): ReadonlyArray<string> =>
  Predicate.isError(error) ? [error.message.trim(), ...messages(error.cause)] : []

/** The folder can not be used, for that reason. */
export const unusable = (path: string, cause: unknown): DataDirectoryUnusable =>
  new DataDirectoryUnusable({
    path,
    reason: Predicate.hasProperty(cause, "description") && Predicate.isString(cause.description)
      ? cause.description
      : messages(cause).join(": ")
  })

/** The database's file in the folder. */
export const databaseFile = (directory: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(directory, "community-messaging.sqlite"))

/** Makes the folder, for its owner alone, unless it is there, and sees to it that it can be written to. */
export const prepare = (
  directory: string
): Effect.Effect<void, DataDirectoryUnusable, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    yield* files.makeDirectory(directory, { recursive: true, mode: OWNER_ONLY })
    yield* files.access(directory, { writable: true })
  }).pipe(Effect.mapError((error) => unusable(directory, error)))
