import type { WorkPlacement } from "@community-messaging/domain/background-work/WorkPlacement"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import { Duration, Layer } from "effect"
import type { ClusterOptions } from "../configuration/ClusterSettings.ts"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"
import { ListenError } from "../serving/Listening.ts"
import { type DatabaseUnusable, unusable } from "../storage/PostgresStorage.ts"
import * as Cluster from "./Cluster.ts"
import * as MemberDirectorySharded from "./MemberDirectorySharded.ts"
import * as ShardedWork from "./ShardedWork.ts"

/** The part of a request's time that a search may wait for another server. */
const SHARE_OF_REQUEST = 0.8

/** Member search and background work, divided among the servers on one database. */
export const layer = (
  options: ClusterOptions,
  database: DatabaseConfiguration,
  requestTimeout: Duration.Duration
): Layer.Layer<
  MemberDirectory | WorkPlacement,
  DatabaseUnusable | ListenError,
  MemberIndexes
> =>
  Layer.merge(
    MemberDirectorySharded.layer(
      Duration.min(MemberDirectorySharded.ANSWER_TIMEOUT, Duration.times(requestTimeout, SHARE_OF_REQUEST))
    ),
    ShardedWork.layer
  ).pipe(
    Layer.provide(Cluster.layer(options, database)),
    Layer.mapError((error) =>
      error._tag === "SqlError"
        ? unusable(database, new StorageError({ operation: "join the cluster", cause: error.cause }))
        : new ListenError({ where: "for other servers on CLUSTER_HOST and CLUSTER_PORT", cause: error.cause })
    )
  )
