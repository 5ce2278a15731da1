import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { EntityId, Sharding } from "@effect/cluster"
import { Context, type Duration, Effect, Exit, Layer, Option, Redacted, Schedule, Scope } from "effect"
import * as Cluster from "../../src/cluster/Cluster.ts"
import * as ClusterDatabase from "../../src/cluster/ClusterDatabase.ts"
import * as MemberDirectorySharded from "../../src/cluster/MemberDirectorySharded.ts"

export const SECRET = "a secret of the tests that nobody else knows"

export interface Options {
  /** The database of all servers, and of the cluster. */
  readonly url: string
  readonly secret?: string
  readonly port?: number
  readonly answerTimeout?: Duration.Duration
  readonly maxIdleTime?: Duration.Duration
}

const layerOf = ({ port = 0, secret = SECRET, url, ...options }: Options) => {
  const database = { url: Redacted.make(url), schema: "chat", poolSize: 4, migrate: true }
  return MemberDirectorySharded.layer(options).pipe(
    Layer.provideMerge(Cluster.layer(
      { host: "127.0.0.1", listenHost: Option.none(), port, secret: Redacted.make(secret) },
      ClusterDatabase.layer(database)
    )),
    Layer.provideMerge(StoragePostgres.layer(database))
  )
}

/** Starts one of several servers of a test: on one storage, and in one cluster. It stops with the scope at the latest. */
export const start = (options: Options) =>
  Effect.gen(function*() {
    const scope = yield* Effect.acquireRelease(Scope.make(), (opened) => Scope.close(opened, Exit.void))
    const context = yield* Layer.buildWithScope(layerOf(options), scope)
    const sharding = Context.get(context, Sharding.Sharding)
    const { search } = Context.get(context, MemberDirectory)
    return {
      search: (guildId: GuildId, query: MemberQuery = MemberQuery.make({})) => search(guildId, query),
      /** Whether guilds with this id are searched here. */
      owns: (guildId: GuildId) =>
        sharding.hasShardId(sharding.getShardId(EntityId.make(guildId), "default")),
      entities: sharding.activeEntityCount,
      /** Stops it as the end of the program does. */
      stop: Scope.close(scope, Exit.void)
    }
  })

export type ClusterServer = Effect.Effect.Success<ReturnType<typeof start>>

/** Looks again and again until that is so. */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (seen: A) => boolean) =>
  Effect.repeat(look, { until: isSo, schedule: Schedule.spaced("20 millis") })
