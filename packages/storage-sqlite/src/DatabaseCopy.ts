import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type SqliteDriver from "better-sqlite3"
import { Effect } from "effect"
import { open } from "./DatabaseFile.ts"

/** The number of pages that are copied in one turn of the event loop: ten megabytes, some tens of milliseconds. */
const PAGES_AT_A_TIME = 2560

/** The progress of a copy, in pages of the database. */
export interface CopyProgress {
  readonly copied: number
  readonly total: number
}

const failed = (operation: string) => (cause: unknown): StorageError => new StorageError({ operation, cause })

const transfer = (source: SqliteDriver.Database, target: string, progress: (state: CopyProgress) => void) =>
  Effect.async<void, StorageError>((resume) => {
    let interrupted = false
    const copying = source.backup(target, {
      progress: ({ remainingPages, totalPages }) => {
        if (interrupted) throw new Error("The copy was interrupted.")
        progress({ copied: totalPages - remainingPages, total: totalPages })
        return PAGES_AT_A_TIME
      }
    })
    const ended = copying.then(
      () => resume(Effect.void),
      (cause: unknown) => resume(failed(`copy the database to ${target}`)(cause))
    )
    return Effect.promise(() => {
      interrupted = true
      return ended
    })
  })

/**
 * Copies the committed data of a database into another file, by SQLite's online backup: processes can write to the
 * database in the meantime. The copy is the state at the beginning. It is one file, without a write-ahead log.
 *
 * @param source the database, which exists; a source that is opened `readonly` does not change
 * @param target an empty file
 */
export const copy = (
  source: { readonly filename: string; readonly readonly: boolean },
  target: string,
  progress: (state: CopyProgress) => void
): Effect.Effect<void, StorageError> =>
  Effect.gen(function*() {
    const driver = yield* open(source.filename, { readonly: source.readonly })
    yield* Effect.acquireRelease(
      Effect.try({
        try: () => {
          driver.exec("BEGIN")
          // Begins a snapshot. Without a snapshot, the copy starts again whenever another process commits.
          driver.prepare("SELECT count(*) FROM sqlite_schema").get()
        },
        catch: failed("read the database")
      }),
      () => Effect.sync(() => driver.exec("ROLLBACK"))
    )
    yield* transfer(driver, target, progress)
  }).pipe(
    Effect.scoped,
    Effect.zipRight(Effect.scoped(Effect.flatMap(open(target, {}), (driver) =>
      Effect.try({
        try: () => driver.pragma("journal_mode = DELETE"),
        catch: failed("close the write-ahead log of the copy")
      }))))
  )
