import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import { ServedApi, type Tested } from "@community-messaging/http-laws/ServedApi"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, Layer, Logger } from "effect"
import { createServer, type RequestListener } from "node:http"

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
