import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, Layer } from "effect"
import { fullMember } from "./FullMember.ts"
import type { StoredGuild } from "./ServiceDatabase.ts"

const fill = ({ guildId, members, ownerId }: StoredGuild) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const { atomically } = yield* UnitOfWork
    yield* atomically(Effect.gen(function*() {
      yield* guilds.save({ id: guildId, name: "Benchmark", ownerId })
      for (const member of members) {
        const { discriminator: _1, globalName, isBot, username, ...membership } = fullMember(guildId, member)
        yield* users.save({ ...Users.create({ id: member.userId, username, bot: isBot }), globalName })
        yield* memberships.save(membership)
      }
    }))
  })

/** A storage in memory that has the guild. */
export const layer = (guild: StoredGuild) => Layer.provideMerge(Layer.effectDiscard(fill(guild)), StorageMemory.layer)
