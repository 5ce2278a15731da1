import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as RunnerServer from "@effect/cluster/RunnerServer"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as Socket from "@effect/platform/Socket"
import * as SocketServer from "@effect/platform/SocketServer"
import * as RpcClient from "@effect/rpc/RpcClient"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import { Duration, Effect, Layer, Option, type Redacted, Schedule } from "effect"
import type { ClusterOptions } from "../configuration/ClusterSettings.ts"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"
import * as ClusterDatabase from "./ClusterDatabase.ts"
import { GuildSearch } from "./GuildSearch.ts"
import * as SearchServer from "./SearchServer.ts"
import * as SecureSockets from "./SecureSockets.ts"

/** The interval of a server's heartbeat in the database. */
const LOCK_REFRESH = Duration.seconds(2)

/** The interval in which a server reads the list of servers from the database. */
const ASSIGNMENT_REFRESH = Duration.millis(500)

/**
 * The interval in which a server tries again to own its shards, such as after a pause in which others took them over. During
 * an outage of the database, each attempt logs a warning. The cluster also polls the storage of messages in this interval,
 * which is always empty and costs nothing.
 */
const SHARD_RETRY_INTERVAL = Duration.seconds(3)

/** The interval in which a server tries to connect to an unreachable one. */
const RECONNECT_INTERVAL = Duration.millis(250)

/** The maximum size of a message between servers, in bytes: far more than the largest search. */
const MAX_MESSAGE_BYTES = 1024 * 1024

/** Messages are small objects of many kinds. With records, each message would contain its own definitions. */
const serialization = RpcSerialization.layerMsgPackWith({ useRecords: false, maxBufferSize: MAX_MESSAGE_BYTES })

/**
 * Searches are not stored. A copy of `noop`: with `noop` itself, the cluster keeps the id of each message for ever, because
 * it removes ids only when it polls the storage.
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
    shardLockExpiration: ClusterDatabase.LOCK_EXPIRATION,
    shardLockRefreshInterval: LOCK_REFRESH,
    refreshAssignmentsInterval: ASSIGNMENT_REFRESH,
    entityMessagePollInterval: SHARD_RETRY_INTERVAL,
    // Locks of sessions would outlive a machine that is cut off until its connections time out.
    shardLockDisableAdvisory: true,
    simulateRemoteSerialization: false
  })

/** Answers other servers on one port: messages of the cluster, and searches. */
const answers = (searches: typeof SearchServer.layer) =>
  RpcServer.layer(Runners.Rpcs.merge(GuildSearch), { disableTracing: true, disableFatalDefects: true }).pipe(
    Layer.provide([RunnerServer.layerHandlers, searches]),
    Layer.provide(RpcServer.layerProtocolSocketServer)
  )

/**
 * Joins the cluster of all servers on this database: each shard belongs to one server, which gets all messages for the
 * shard. A server has a heartbeat in the database, so that no other server needs to probe it. `searches` handles the
 * searches of the guilds of its shards.
 */
export const layer = (
  { host, listenHost, port, secret }: ClusterOptions,
  database: DatabaseConfiguration,
  searches: typeof SearchServer.layer = SearchServer.layer
) =>
  Layer.unwrapScoped(
    Effect.map(
      SecureSockets.serve({ host: listenHost, port, secret }),
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
          Layer.provide(ClusterDatabase.layer(database)),
          Layer.provide(sharding(RunnerAddress.make(host, server.port))),
          Layer.provide(serialization)
        )
    )
  )
