import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { layer, type Vitest } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServedApi, type Tested } from "./ServedApi.ts"

/** Where a server of Node's listens that has no listener yet. */
const listening = Effect.acquireRelease(
  Effect.async<{ readonly origin: string; readonly server: ReturnType<typeof createServer> }>((resume) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, server }))
    })
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

/** How an API under test differs from the one that is served by default. */
export interface Differences<E> {
  readonly storage?: Layer.Layer<StoragePorts, E>
  readonly rateLimits?: Layer.Layer<RateLimits>
  readonly options?: Partial<HttpAdapter.Options>
  readonly logger?: Logger.Logger<unknown, unknown>
  /** What the server of Node's does with the listener: lets it answer everything unless told otherwise. */
  readonly mount?: (listener: RequestListener) => RequestListener
  /** Whatever else is to be there before the API is. */
  readonly before?: Layer.Layer<never>
}

/** The whole API on a storage, behind a real socket: in memory, without limits and without a log unless told otherwise. */
export const served = <E = never>(differences: Differences<E> = {}): Layer.Layer<Tested, E> =>
  Layer.scoped(
    ServedApi,
    Effect.gen(function*() {
      const { origin, server } = yield* listening
      const listener = yield* HttpAdapter.listener({ publicUrl: origin, ...differences.options })
      server.on("request", differences.mount?.(listener) ?? listener)
      return { origin }
    })
  ).pipe(
    Layer.provide([differences.rateLimits ?? RateLimits.layerOff, differences.before ?? Layer.empty]),
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(
      Layer.mergeAll(differences.storage ?? StorageMemory.layer, PlatformNode.layer, SnowflakeGenerator.layer(1))
    ),
    Layer.provide(Logger.replace(Logger.defaultLogger, differences.logger ?? Logger.none)),
    Layer.orDie
  )

const temporarySqlite = Layer.unwrapScoped(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "http-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
    ),
    (directory) => StorageSqlite.layer({ filename: join(directory, "database.sqlite") })
  )
)

/** The storages that the API is served from in these tests. */
const STORAGES = [["memory", StorageMemory.layer], ["SQLite", temporarySqlite]] as const

/** Runs the tests over the served API once for each storage. */
export const onEachStorage = (
  name: string,
  tests: (it: Vitest.MethodsNonLive<Tested, true>) => void
): void => {
  for (const [storage, storageLayer] of STORAGES) {
    layer(served({ storage: storageLayer }), { excludeTestServices: true })(`${name}, from ${storage}`, tests)
  }
}
