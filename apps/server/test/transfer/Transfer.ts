import { Tokens } from "@community-messaging/domain/access/Tokens"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Layer, Ref, Stream, TestClock } from "effect"
import * as Export from "../../src/transfer/Export.ts"
import * as Import from "../../src/transfer/Import.ts"
import * as Lines from "../../src/transfer/Lines.ts"
import { temporaryPostgres, temporarySqlite } from "../http/TestServer.ts"
import { TODAY } from "./Community.ts"

/** A fresh service on that storage. */
export const on = <A, E>(storage: Layer.Layer<A, E>) =>
  Layer.mergeAll(
    storage,
    Layer.provideMerge(Tokens.layer, PlatformNode.layer),
    NodeContext.layer,
    Layer.effectDiscard(TestClock.setTime(TODAY.epochMillis))
  )

/** A fresh service in memory. */
export const inMemory = on(StorageMemory.layer)

/** A fresh service on each storage. */
export const ON_STORAGES = [
  ["memory", inMemory],
  ["SQLite", Layer.orDie(on(temporarySqlite))],
  ["PostgreSQL", Layer.orDie(on(temporaryPostgres))]
] as const

/** Imports the text. Returns the counts, and the reported lines that failed. */
export const importText = (text: string | Uint8Array, strict = false) =>
  Effect.gen(function*() {
    const failed = yield* Ref.make<ReadonlyArray<Import.FailedLine>>([])
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text
    const summary = yield* Import.run(Lines.fromBytes(Stream.make(bytes)), {
      strict,
      report: (line) => Ref.update(failed, (before) => [...before, line])
    }).pipe(Effect.catchTag("StrictImportRefused", (refused) => Effect.succeed(refused.summary)))
    return { summary: Object.fromEntries(summary), failed: yield* Ref.get(failed) }
  })

/** The output of an export that reports its progress. */
export const exportTextWith = (report: Export.Report) =>
  Effect.scoped(Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const directory = yield* files.makeTempDirectoryScoped()
    yield* Export.toFile(`${directory}/export.ndjson`, { replace: false, keep: [] }, report)
    return yield* files.readFileString(`${directory}/export.ndjson`)
  }))

/** The output of an export. */
export const exportText = exportTextWith(() => Effect.void)

/** The number of events. */
export const eventCount = Effect.flatMap(EventLog, (events) => Effect.map(events.read(0, 1000), ({ length }) => length))
