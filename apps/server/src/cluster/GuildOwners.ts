import type { GuildId } from "@community-messaging/domain/guild/Guild"
import * as Entity from "@effect/cluster/Entity"
import * as EntityId from "@effect/cluster/EntityId"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as Sharding from "@effect/cluster/Sharding"
import * as Rpc from "@effect/rpc/Rpc"
import { Effect } from "effect"

/** The entity of a guild, by the guild's id. It is on the server that searches the guild, and has no state. */
const GuildOwner = Entity.make("GuildOwner", [Rpc.make("Where", { success: RunnerAddress.RunnerAddress })])

/** Reports this server's address to other servers, for guilds that are searched here. */
export const layer = GuildOwner.toLayer(
  Effect.map(Entity.CurrentRunnerAddress, (address) => GuildOwner.of({ Where: () => Effect.succeed(address) })),
  { concurrency: "unbounded" }
)

const shardOf = ({ getShardId }: Sharding.Sharding["Type"], guildId: GuildId) => {
  const id = EntityId.make(guildId)
  return getShardId(id, GuildOwner.getShardGroup(id))
}

/** Whether a guild is searched here. */
export const isHere = (sharding: Sharding.Sharding["Type"], guildId: GuildId): boolean =>
  sharding.hasShardId(shardOf(sharding, guildId))

/**
 * The servers that search guilds. Queries the cluster once for all guilds of a shard, and again after `forget`.
 */
export const make = Effect.gen(function*() {
  const sharding = yield* Sharding.Sharding
  const owner = yield* GuildOwner.client
  const known = new Map<string, RunnerAddress.RunnerAddress>()
  return {
    /** The server that has the guild. Waits while no server has it. */
    of: (guildId: GuildId) =>
      Effect.suspend(() => {
        const shard = shardOf(sharding, guildId).toString()
        const address = known.get(shard)
        return address === undefined
          ? Effect.tap(owner(guildId).Where(), (found) => {
            known.set(shard, found)
          })
          : Effect.succeed(address)
      }),
    /** Forgets the server that had the guild, because it did not answer, or no longer has the guild. */
    forget: (guildId: GuildId) => {
      known.delete(shardOf(sharding, guildId).toString())
    }
  }
})
