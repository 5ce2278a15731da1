import { DefaultDaysUntilDeletion } from "@community-messaging/domain/account/Accounts"
import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { EventRetention } from "@community-messaging/domain/event/EventRetention"
import { ClaimLease } from "@community-messaging/domain/shared-kernel/ClaimLease"
import type { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as HttpAdapter from "@community-messaging/http-adapter/HttpAdapter"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import { MemberIndexMaxBytes, MemberIndexMaxIdle } from "@community-messaging/member-index/GuildIndexes"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Duration, Effect, Layer, Option } from "effect"
import * as ClusterMetrics from "./cluster/ClusterMetrics.ts"
import type { ServerConfiguration } from "./configuration/Configuration.ts"
import * as ProgramPart from "./ProgramPart.ts"
import * as RateLimiting from "./rate-limits/RateLimiting.ts"
import * as Health from "./serving/Health.ts"
import { type ListenError, localUrl } from "./serving/Listening.ts"
import * as ListeningServer from "./serving/ListeningServer.ts"
import * as Storage from "./storage/Storage.ts"
import * as Telemetry from "./telemetry/Telemetry.ts"
import * as UseCaseComposition from "./UseCaseComposition.ts"

// The configured storage. In a cluster, which is loaded then, its servers divide member search and background work.
const storage = (
  { cluster, data, requestTimeout }: ServerConfiguration
): Layer.Layer<
  StoragePorts | SnowflakeGenerator,
  ListenError | Storage.StorageUnusable,
  FileSystem.FileSystem | Path.Path
> =>
  Option.isSome(cluster) && data.storage === "postgres"
    ? Layer.unwrapEffect(
      Effect.map(
        ProgramPart.load(() => import("./cluster/ServerCluster.ts")),
        (loaded) =>
          Layer.provideMerge(loaded.layer(cluster.value, data.database, requestTimeout), Storage.postgres(data))
      )
    )
    : Storage.layer(data)

/** How long a server of a cluster keeps an index without searches. */
const MAX_IDLE_IN_CLUSTER = Duration.hours(6)

// The settings that replace the defaults of the use cases.
const settings = (configuration: ServerConfiguration) =>
  Layer.mergeAll(
    Layer.succeed(DefaultDaysUntilDeletion, configuration.defaultDaysUntilDeletion),
    Layer.succeed(ClaimLease, configuration.claimLease),
    Layer.succeed(EventRetention, configuration.eventRetention),
    Layer.succeed(MemberIndexMaxBytes, configuration.memberIndexMaxBytes),
    // A guild that moves to another server leaves its index on this one.
    Option.isSome(configuration.cluster) ? Layer.succeed(MemberIndexMaxIdle, MAX_IDLE_IN_CLUSTER) : Layer.empty
  )

// The HTTP API. Its public URL is the configured one, or else the listening address.
const http = (configuration: ServerConfiguration, pages: ReadonlyArray<Page>) =>
  ListeningServer.serve(Effect.gen(function*() {
    const { address } = yield* ListeningServer.ListeningServer
    return yield* HttpAdapter.make({
      publicUrl: Option.getOrElse(configuration.publicUrl, () => localUrl(address)),
      bodyMemory: configuration.bodyMemory,
      requestTimeout: configuration.requestTimeout,
      trustedProxies: configuration.trustedProxies,
      maxEventStreamsPerKey: configuration.maxEventStreamsPerKey,
      pages: [...pages, ...yield* Health.pages],
      tracing: Option.isSome(configuration.otlpEndpoint),
      ...(Option.isSome(configuration.corsOrigins) && { allowedOrigins: configuration.corsOrigins.value })
    })
  }))

// Answers health checks from the start, and all other requests with 503 until the API has started.
const starting = ListeningServer.serve(
  Effect.flatMap(Health.pages, HttpAdapter.makeStarting)
)

/** How long a connection of a proxy may be idle by default. There are few of them. */
const KEEP_ALIVE_OF_PROXIES = Duration.seconds(75)

// How the server listens. Behind a proxy, all connections have the proxy's address.
const listening = ({ keepAliveTimeout, ...configuration }: ServerConfiguration): ListeningServer.Options => ({
  ...configuration,
  ...(configuration.trustedProxies > 0 && {
    keepAliveTimeout: KEEP_ALIVE_OF_PROXIES,
    maxConnectionsPerAddress: configuration.maxConnections
  }),
  ...(Option.isSome(keepAliveTimeout) && { keepAliveTimeout: keepAliveTimeout.value })
})

/**
 * The listening HTTP server and the background work. The server answers health checks from the start. The API and the
 * background work start after the preparation succeeds; if it fails, neither starts. The server serves these pages besides
 * those of the API.
 */
export const server = <E>(
  configuration: ServerConfiguration,
  preparation: Effect.Effect<void, E, UseCaseComposition.Service | FileSystem.FileSystem | Path.Path>,
  pages: ReadonlyArray<Page> = []
) =>
  Layer.provideMerge(Health.started, Telemetry.metrics(configuration)).pipe(
    Layer.provide(Layer.merge(http(configuration, pages), BackgroundWork.layer)),
    Layer.provide(RateLimiting.layer(configuration)),
    Layer.provide(Layer.effectDiscard(ClusterMetrics.register)),
    Layer.provide(Layer.effectDiscard(preparation)),
    Layer.provideMerge(UseCaseComposition.over(storage(configuration))),
    Layer.provide(settings(configuration)),
    Layer.provide(starting),
    Layer.provideMerge(ListeningServer.layer(listening(configuration))),
    Layer.provide(Health.layer),
    Layer.provide(Telemetry.tracing(configuration))
  )
