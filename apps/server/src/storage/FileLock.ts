import * as Reactivity from "@effect/experimental/Reactivity"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Data, Effect, ExecutionStrategy, Exit, Predicate, Scope } from "effect"

/** The file cannot be locked: it cannot be created or opened, or is not an SQLite file. */
export class FileNotLockable extends Data.TaggedError("FileNotLockable")<{ readonly cause: unknown }> {}

const isHeldByAnother = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "SQLITE_BUSY"

/** A lock that one process has alone, or that several share. */
export type LockMode = "exclusive" | "shared"

const STATEMENTS: Readonly<Record<LockMode, ReadonlyArray<string>>> = {
  exclusive: ["BEGIN EXCLUSIVE"],
  // A transaction takes the shared lock when it reads.
  shared: ["BEGIN", "SELECT count(*) FROM sqlite_schema"]
}

const lock = (filename: string, mode: LockMode) =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, disableWAL: true })
    const connection = yield* sql.reserve
    yield* connection.executeUnprepared("PRAGMA busy_timeout = 0", [], undefined)
    yield* Effect.forEach(
      STATEMENTS[mode],
      (statement) => connection.executeUnprepared(statement, [], undefined),
      { discard: true }
    )
    return true
  }).pipe(
    // The driver throws when it cannot open a file or prepare a statement.
    Effect.catchAllDefect((cause) => isHeldByAnother(cause) ? Effect.succeed(false) : new FileNotLockable({ cause })),
    Effect.catchTag(
      "SqlError",
      ({ cause }) => isHeldByAnother(cause) ? Effect.succeed(false) : new FileNotLockable({ cause })
    ),
    Effect.provide(Reactivity.layer)
  )

/**
 * Returns whether a process has the lock of this file, which must exist. Reads only. A process that acquires the lock at
 * this moment may find it taken.
 */
export const isHeld = (filename: string): Effect.Effect<boolean, FileNotLockable> =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, readonly: true, disableWAL: true })
    const connection = yield* sql.reserve
    yield* connection.executeUnprepared("PRAGMA busy_timeout = 0", [], undefined)
    yield* connection.executeUnprepared("SELECT 1 FROM sqlite_schema", [], undefined)
    return false
  }).pipe(
    Effect.catchTag("SqlError", ({ cause }) => Effect.die(cause)),
    // The driver throws when it cannot open a file, and when it prepares a statement for a locked one.
    Effect.catchAllDefect((cause) => isHeldByAnother(cause) ? Effect.succeed(true) : new FileNotLockable({ cause })),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )

/**
 * Locks the file until the scope ends. Creates the file if it does not exist. Returns false if another process has the
 * lock, in a mode that excludes this one.
 *
 * The lock is SQLite's lock on an empty database file. The operating system gives an exclusive one to one process at a time
 * and releases it when that process ends, in any way. So the lock needs no expiry, no cleanup after a crash and no
 * clock, and it works wherever the database can be shared. The file must never be removed: then two processes could
 * lock two files with the same name.
 */
export const acquire = (
  filename: string,
  mode: LockMode = "exclusive"
): Effect.Effect<boolean, FileNotLockable, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const held = yield* Scope.extend(lock(filename, mode), scope)
    if (!held) yield* Scope.close(scope, Exit.void)
    return held
  })
