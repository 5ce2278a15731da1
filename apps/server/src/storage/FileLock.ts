import { Reactivity } from "@effect/experimental"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Data, Effect, ExecutionStrategy, Exit, Predicate, Scope } from "effect"

/** The file can not be locked at all: it can not be made or opened, or it is something else. */
export class FileNotLockable extends Data.TaggedError("FileNotLockable")<{ readonly cause: unknown }> {}

const isHeldByAnother = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_BUSY"

const lock = (filename: string) =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, disableWAL: true })
    const connection = yield* sql.reserve
    yield* connection.executeUnprepared("PRAGMA busy_timeout = 0", [], undefined)
    yield* connection.executeUnprepared("BEGIN EXCLUSIVE", [], undefined)
    return true
  }).pipe(
    // The driver throws when it can not open a file.
    Effect.catchAllDefect((cause) => new FileNotLockable({ cause })),
    Effect.catchTag(
      "SqlError",
      ({ cause }) => isHeldByAnother(cause) ? Effect.succeed(false) : new FileNotLockable({ cause })
    ),
    Effect.provide(Reactivity.layer)
  )

/**
 * Locks the file until the scope ends, and makes it when it is not there; false where another holds the lock.
 *
 * The lock is the exclusive one on an empty SQLite file, which nothing is ever written to: the operating system gives it to
 * one process at a time and takes it back when that process ends in whatever way. So there is nothing to expire and nothing
 * to clean up after a crash, no clocks are compared, and it works wherever sharing the database itself does. Nobody may
 * remove the file: that could leave two processes each with a lock on a file of that name.
 */
export const acquire = (filename: string): Effect.Effect<boolean, FileNotLockable, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const held = yield* Scope.extend(lock(filename), scope)
    if (!held) yield* Scope.close(scope, Exit.void)
    return held
  })
