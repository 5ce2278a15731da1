import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { Database } from "@community-messaging/storage-sql/Database"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Effect, Layer } from "effect"
import { isIncremental } from "./ConnectionSettings.ts"
import { SqliteFile } from "./SqliteDatabase.ts"

/** The maximum number of pages that one transaction frees. It takes one or two milliseconds. */
const PAGES_AT_A_TIME = 256

/**
 * `DeletedData` on SQLite. With `secure_delete`, deleted rows are overwritten in the pages that stay in use; an
 * incremental vacuum removes the free pages, and a checkpoint the copies of both in the write-ahead log.
 */
export const layer: Layer.Layer<DeletedData, never, Database | SqliteFile> = Layer.effect(
  DeletedData,
  Effect.map(Effect.all([Database, SqliteFile]), ([{ atomically, sql }, { committed, truncateLog }]) => {
    const freePages = sql`SELECT freelist_count AS value FROM pragma_freelist_count`.pipe(
      Effect.flatMap(Rows.decodeInteger("freelist")),
      attempt("count free pages")
    )
    // The driver runs a statement without rows for one step, which frees one page.
    const freeOnePage = attempt("free a page")(sql`PRAGMA incremental_vacuum(1)`)
    const freeSome = atomically(
      Effect.tap(
        freePages,
        (count) => Effect.replicateEffect(freeOnePage, Math.min(count, PAGES_AT_A_TIME), { discard: true })
      )
    )
    const vacuum = Effect.repeat(Effect.zipLeft(freeSome, nextTurn), {
      while: (count) => count > PAGES_AT_A_TIME
    })
    // The file of an earlier version may not be rewritten yet. Without incremental vacuum, no page would become free.
    const mayFree = attempt("find the mode of the vacuum")(isIncremental(committed))
    const isNeeded = Effect.zipWith(freePages, mayFree, (count, may) => count > 0 && may)
    return { purge: Effect.zipRight(Effect.whenEffect(vacuum, isNeeded), truncateLog) }
  })
)
