import { SnowflakeGenerator } from "@community-messaging/domain/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import { TrustedProxies } from "@community-messaging/http-adapter/checks/ClientAddress"
import { Deadline } from "@community-messaging/http-adapter/Deadline"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import { RateLimits } from "@community-messaging/http-adapter/rate-limit/RateLimits"
import * as NodeServer from "@community-messaging/http-api-node/NodeServer"
import { ServedApi, type Tested } from "@community-messaging/http-laws/ServedApi"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Duration, Effect, Layer, Logger } from "effect"
import { createServer } from "node:http"

const node = Layer.merge(
  NodeServer.layer(createServer, { port: 0, host: "127.0.0.1" }),
  NodeHttpServer.layerContext
)

type Interpreter = "node" | "platform"

type Needed = Layer.Layer.Context<typeof HttpAdapter.layer | typeof HttpAdapter.layerPlatform>

const adapter = (interpreter: Interpreter): Layer.Layer<never, never, Needed> =>
  interpreter === "node" ? HttpAdapter.layer : HttpAdapter.layerPlatform

const address = Layer.effect(
  ServedApi,
  Effect.map(HttpServer.HttpServer, (server) => ({ origin: HttpServer.formatAddress(server.address) }))
)

/** How an API under test differs from the one that is served by default. */
export interface Differences<E> {
  /** What interprets the API: our own interpreter unless told otherwise. */
  readonly interpreter?: Interpreter
  readonly storage?: Layer.Layer<StoragePorts, E>
  readonly rateLimits?: Layer.Layer<RateLimits>
  readonly deadline?: Duration.Duration
  readonly logger?: Logger.Logger<unknown, unknown>
  readonly trustedProxies?: number
  /** Whatever else is to be there before the API is. */
  readonly before?: Layer.Layer<never>
}

/** The whole API on a storage, behind a real socket: in memory, without limits and without a log unless told otherwise. */
export const served = <E = never>(differences: Differences<E> = {}): Layer.Layer<Tested, E> =>
  Layer.merge(address, adapter(differences.interpreter ?? "node")).pipe(
    Layer.provide([
      node,
      differences.rateLimits ?? RateLimits.layerOff,
      Layer.succeed(Deadline, differences.deadline ?? Duration.seconds(10)),
      Layer.succeed(TrustedProxies, differences.trustedProxies ?? 0),
      differences.before ?? Layer.empty
    ]),
    Layer.provideMerge(UseCases.layer),
    Layer.provideMerge(
      Layer.mergeAll(differences.storage ?? StorageMemory.layer, PlatformNode.layer, SnowflakeGenerator.layer(1))
    ),
    Layer.provide(Logger.replace(Logger.defaultLogger, differences.logger ?? Logger.none)),
    Layer.orDie
  )
