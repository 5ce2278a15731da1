import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as EntityId from "@effect/cluster/EntityId"
import * as Sharding from "@effect/cluster/Sharding"
import { Cause, Context, type Duration, Effect, Exit, Layer, Number, Redacted, Scope } from "effect"
import * as Cluster from "../../src/cluster/Cluster.ts"
import * as MemberDirectorySharded from "../../src/cluster/MemberDirectorySharded.ts"
import type * as SearchServer from "../../src/cluster/SearchServer.ts"
import * as ShardedWork from "../../src/cluster/ShardedWork.ts"

export const SECRET = "a secret of the tests that nobody else knows"

export interface Options {
  /** The database of all servers, and of the cluster. */
  readonly url: string
  readonly secret?: string
  readonly answerTimeout?: Duration.Duration
  /** Replaces the way in which the server answers searches. */
  readonly searches?: typeof SearchServer.layer
}

const layerOf = ({ answerTimeout, searches, secret = SECRET, url }: Options) => {
  const database = { url: Redacted.make(url), schema: "chat", poolSize: 4, migrate: true }
  return Layer.merge(MemberDirectorySharded.layer(answerTimeout), ShardedWork.layer).pipe(
    Layer.provideMerge(Cluster.layer(
      { host: "127.0.0.1", listenHost: "127.0.0.1", port: 0, secret: Redacted.make(secret) },
      database,
      searches
    )),
    Layer.provideMerge(StoragePostgres.layer(database))
  )
}

/** Starts one of several servers of a test, on one storage and in one cluster. It stops with the scope at the latest. */
export const start = (options: Options) =>
  Effect.gen(function*() {
    const scope = yield* Effect.acquireRelease(Scope.make(), (opened) => Scope.close(opened, Exit.void))
    const context = yield* Layer.buildWithScope(layerOf(options), scope)
    const { getShardId, hasShardId } = Context.get(context, Sharding.Sharding)
    return {
      /** The services of the server. */
      context,
      search: (guildId: GuildId) => Effect.provide(searchMembers(guildId, MemberQuery.make({})), context),
      /** Whether the guild is searched here. */
      owns: (guildId: GuildId) => hasShardId(getShardId(EntityId.make(guildId), "default")),
      /** Stops the server like the end of the program. */
      stop: Scope.close(scope, Exit.void)
    }
  })

export type ClusterServer = Effect.Effect.Success<ReturnType<typeof start>>

/** Repeats the effect until its result fits. Returns the last result. */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (seen: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.filterOrElse(look, isSo, () => Effect.delay(until(look, isSo), "20 millis"))

/** Waits until each of these guilds has one server, and each server has one of these guilds. */
export const divided = (servers: ReadonlyArray<ClusterServer>, guilds: ReadonlyArray<GuildId>) => {
  const counts = () => servers.map(({ owns }) => guilds.filter(owns).length)
  return until(
    Effect.sync(counts),
    (owned) => owned.every((count) => count > 0) && Number.sumAll(owned) === guilds.length
  ).pipe(
    Effect.timeoutFail({
      duration: "1 minute",
      onTimeout: () => new Cause.TimeoutException(`Guilds of each server, of ${guilds.length}: ${counts().join(", ")}`)
    })
  )
}

/** Saves an account with that name as a member of the guild. */
export const memberOf = (guildId: GuildId, username: string) =>
  Effect.flatMap(Saved.user({ username }), ({ id }) => Saved.membership({ guildId, userId: id }))

/** Guilds with one member each, `ada`: so many that each of three servers has some, except once in millions of tests. */
export const guildsOfOne = Effect.replicateEffect(
  Effect.tap(Effect.map(Saved.guild(), ({ id }) => id), (id) => memberOf(id, "ada")),
  40
)
