import { MAX_WORKERS } from "@community-messaging/domain/SnowflakeGenerator"
import { Reactivity } from "@effect/experimental"
import { FileSystem, Path } from "@effect/platform"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, ExecutionStrategy, Exit, Predicate, Scope } from "effect"
import * as DataDirectory from "./DataDirectory.ts"

const isHeldByAnother = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_BUSY"

/** Locks the file for as long as the scope lasts; false where another process holds the lock. */
const lock = (filename: string) =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, disableWAL: true })
    const connection = yield* sql.reserve
    yield* connection.executeUnprepared("PRAGMA busy_timeout = 0", [], undefined)
    yield* connection.executeUnprepared("BEGIN EXCLUSIVE", [], undefined)
    return true
  }).pipe(
    Effect.catchTag("SqlError", (error) => isHeldByAnother(error.cause) ? Effect.succeed(false) : Effect.fail(error)),
    Effect.provide(Reactivity.layer)
  )

/**
 * The smallest snowflake worker number that no other process on the same data directory holds, held until the scope
 * ends.
 *
 * Processes that share a database must not make the same ids, so each needs a worker number of its own. A number is held
 * by the exclusive lock on an empty SQLite file, which nothing is ever written to: the operating system gives the lock
 * to one process at a time and takes it back when that process ends in whatever way. So there is nothing to expire and
 * nothing to clean up after a crash, no clocks are compared, and it works wherever sharing the database itself does. The
 * files are never removed: whoever removed one could leave two processes each with a lock on a file of that name.
 */
export const acquire = (
  directory: string
): Effect.Effect<
  number,
  DataDirectory.DataDirectoryUnusable,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = path.join(directory, "workers")
    yield* files.makeDirectory(folder, { recursive: true, mode: DataDirectory.OWNER_ONLY })
    const outer = yield* Effect.scope

    const hold = Effect.fnUntraced(function*(worker: number) {
      const scope = yield* Scope.fork(outer, ExecutionStrategy.sequential)
      const held = yield* Scope.extend(lock(path.join(folder, `${worker}.lock`)), scope)
      if (!held) yield* Scope.close(scope, Exit.void)
      return held
    })

    for (let worker = 0; worker < MAX_WORKERS; worker += 1) {
      if (yield* hold(worker)) return worker
    }
    return yield* new DataDirectory.DataDirectoryUnusable({
      path: directory,
      reason: `${MAX_WORKERS} processes use it already`
    })
  }).pipe(
    // The driver throws when it can not open a file.
    Effect.catchAllDefect((cause) => Effect.fail({ _tag: "SqlError" as const, cause })),
    Effect.catchTags({
      BadArgument: (error) => DataDirectory.unusable(directory, error),
      SystemError: (error) => DataDirectory.unusable(directory, error),
      SqlError: ({ cause }) => DataDirectory.unusable(directory, cause)
    })
  )
