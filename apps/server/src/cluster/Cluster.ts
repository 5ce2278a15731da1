import type { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  Runners,
  RunnerServer,
  type RunnerStorage,
  Sharding,
  ShardingConfig
} from "@effect/cluster"

import { Socket, SocketServer } from "@effect/platform"
import { type Rpc, RpcClient, type RpcGroup, RpcSerialization, RpcServer } from "@effect/rpc"
import { Duration, Effect, Layer, Option, type Redacted, Schedule } from "effect"
import type { ClusterOptions } from "./ClusterOptions.ts"
import { GuildSearch } from "./GuildSearch.ts"
import * as SearchServer from "./SearchServer.ts"
import * as SecureSockets from "./SecureSockets.ts"

/** A server that has not told the database for so long that it lives is replaced. */
const LOCK_EXPIRATION = Duration.seconds(6)

/** How often a server tells the database that it lives. */
const LOCK_REFRESH = Duration.seconds(2)

/** How often a server asks the database which servers there are. */
const ASSIGNMENT_REFRESH = Duration.millis(500)

/** How often a server tries to connect to another one that it cannot reach. */
const RECONNECT_INTERVAL = Duration.millis(250)

/** The maximum size of a message between servers, in bytes: far more than the largest search. */
const MAX_MESSAGE_BYTES = 1024 * 1024

/** Messages are small objects of many kinds. With records, each would bring the definitions of its own. */
const serialization = RpcSerialization.layerMsgPackWith({ useRecords: false, maxBufferSize: MAX_MESSAGE_BYTES })

/**
 * Searches are not stored. A copy of `noop`: with `noop` itself, the cluster keeps the id of each message for ever, because
 * it forgets them when it polls the storage.
 */
const messageStorage = Layer.succeed(MessageStorage.MessageStorage, { ...MessageStorage.noop })

const clientProtocol = (secret: Redacted.Redacted) =>
  Layer.effect(
    Runners.RpcClientProtocol,
    Effect.map(RpcSerialization.RpcSerialization, (parsers) => ({ host, port }: RunnerAddress.RunnerAddress) =>
      Effect.flatMap(SecureSockets.connect(host, port, secret), (socket) =>
        RpcClient.makeProtocolSocket({ retrySchedule: Schedule.spaced(RECONNECT_INTERVAL) }).pipe(
          Effect.provideService(Socket.Socket, socket),
          Effect.provideService(RpcSerialization.RpcSerialization, parsers)
        )))
  )

const sharding = (address: RunnerAddress.RunnerAddress) =>
  ShardingConfig.layer({
    runnerAddress: Option.some(address),
    shardLockExpiration: LOCK_EXPIRATION,
    shardLockRefreshInterval: LOCK_REFRESH,
    refreshAssignmentsInterval: ASSIGNMENT_REFRESH,
    // Locks of sessions would outlive a machine that is cut off until its connections time out.
    shardLockDisableAdvisory: true,
    simulateRemoteSerialization: false
  })

/** Answers other servers on one port: messages of the cluster, and searches. */
const answers = <E, R>(searches: Layer.Layer<Rpc.ToHandler<RpcGroup.Rpcs<typeof GuildSearch>>, E, R>) =>
  RpcServer.layer(Runners.Rpcs.merge(GuildSearch), { disableTracing: true, disableFatalDefects: true }).pipe(
    Layer.provide([RunnerServer.layerHandlers, searches]),
    Layer.provide(RpcServer.layerProtocolSocketServer)
  )

/**
 * Takes part in the cluster of all servers on this database: each shard belongs to one of them, and messages to it go there.
 * A server tells through the database that it lives, so that nobody needs to ask it. Those handlers answer
 * searches of the guilds of its shards.
 */
export const layer = <E, R>(
  { host, listenHost, port, secret }: ClusterOptions,
  runnerStorage: Layer.Layer<RunnerStorage.RunnerStorage, E, R | ShardingConfig.ShardingConfig>,
  searches: typeof SearchServer.layer = SearchServer.layer
): Layer.Layer<
  Sharding.Sharding | Runners.RpcClientProtocol,
  SocketServer.SocketServerError | E,
  Exclude<R, ShardingConfig.ShardingConfig> | MemberIndexes
> =>
  Layer.unwrapScoped(
    Effect.map(
      SecureSockets.serve({ host: Option.getOrElse(listenHost, () => host), port, secret }),
      (server) =>
        answers(searches).pipe(
          Layer.provideMerge(Sharding.layer),
          Layer.provide(Runners.layerRpc),
          Layer.provideMerge(clientProtocol(secret)),
          Layer.provide([
            Layer.succeed(SocketServer.SocketServer, server),
            RunnerHealth.layerNoop,
            messageStorage
          ]),
          Layer.provide(runnerStorage),
          Layer.provide(sharding(RunnerAddress.make(host, server.port))),
          Layer.provide(serialization)
        )
    )
  )
