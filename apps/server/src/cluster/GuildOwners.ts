import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { Entity, EntityId, RunnerAddress, Sharding } from "@effect/cluster"
import { Rpc } from "@effect/rpc"
import { Effect } from "effect"

/** The entity of a guild, by the guild's id: is where the guild is searched. It has no state, and any server may have it. */
const GuildOwner = Entity.make("GuildOwner", [Rpc.make("Where", { success: RunnerAddress.RunnerAddress })])

/** Tells other servers which guilds are searched here. */
export const layer = GuildOwner.toLayer(
  Effect.map(Entity.CurrentRunnerAddress, (address) => GuildOwner.of({ Where: () => Effect.succeed(address) })),
  { concurrency: "unbounded" }
)

/** Whether a guild is searched here. */
export const isHere = ({ getShardId, hasShardId }: Sharding.Sharding["Type"], guildId: GuildId): boolean => {
  const id = EntityId.make(guildId)
  return hasShardId(getShardId(id, GuildOwner.getShardGroup(id)))
}

/**
 * Where guilds are searched. The cluster is asked once for all guilds of a shard, as long as the server that it named does
 * not say otherwise.
 */
export const make = Effect.gen(function*() {
  const sharding = yield* Sharding.Sharding
  const owner = yield* GuildOwner.client
  const known = new Map<string, RunnerAddress.RunnerAddress>()
  const shardOf = (guildId: GuildId) => {
    const id = EntityId.make(guildId)
    return sharding.getShardId(id, GuildOwner.getShardGroup(id)).toString()
  }
  return {
    /** The server that has the guild: waits while nobody has it. */
    of: (guildId: GuildId) =>
      Effect.suspend(() => {
        const shard = shardOf(guildId)
        const address = known.get(shard)
        return address === undefined
          ? Effect.tap(owner(guildId).Where(), (told) => {
            known.set(shard, told)
          })
          : Effect.succeed(address)
      }),
    /** Forgets the server that has the guild, because it did not answer, or has it no more. */
    forget: (guildId: GuildId) => {
      known.delete(shardOf(guildId))
    }
  }
})
