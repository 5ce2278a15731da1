import { SnowflakeGenerator } from "@community-messaging/domain/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { RateLimits } from "@community-messaging/http-adapter/rate-limit/RateLimits"
import { ServedApi, type Tested } from "@community-messaging/http-laws/ServedApi"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Logger } from "effect"
import { createServer } from "node:http"

const node = NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })

const address = Layer.effect(
  ServedApi,
  Effect.map(HttpServer.HttpServer, (server) => ({ origin: HttpServer.formatAddress(server.address) }))
)

/** The whole API on a storage, behind a real socket. */
export const served = <E>(options: {
  readonly storage?: Layer.Layer<StoragePorts, E>
  readonly rateLimits?: Layer.Layer<RateLimits>
} = {}): Layer.Layer<Tested, E> =>
  Layer.merge(address, HttpAdapter.layer).pipe(
    Layer.provide([node, options.rateLimits ?? RateLimits.layerOff]),
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(
      Layer.mergeAll(options.storage ?? StorageMemory.layer, PlatformNode.layer, SnowflakeGenerator.layer(1))
    ),
    Layer.provide(Logger.remove(Logger.defaultLogger)),
    Layer.orDie
  )
