import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { Community, CommunityMember } from "./Community.ts"
import type { StoredGuild } from "./ServiceDatabase.ts"

const guild = (guildId: GuildId, members: ReadonlyArray<CommunityMember>): StoredGuild => {
  const [owner] = members
  if (owner === undefined) throw new Error("A guild without members has no owner.")
  return { guildId, ownerId: owner.userId, members }
}

/** The guild of all members. */
export const large = ({ guildId, members }: Community): StoredGuild => guild(guildId, members)

/** Guilds of that size, which share members if there are too few. */
export const small = ({ guildId, members }: Community, howMany: number, size: number): ReadonlyArray<StoredGuild> =>
  Array.from({ length: howMany }, (_, index) => {
    const first = Math.floor(Math.max(0, members.length - size) * index / howMany)
    return guild(
      GuildId.make((BigInt(guildId) + BigInt(index + 1)).toString()),
      members.slice(first, first + size)
    )
  })
