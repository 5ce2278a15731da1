import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildAccess } from "@community-messaging/domain/guild/GuildAccess"
import { type MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { MemberIndexMaxBytes } from "@community-messaging/member-index/GuildIndexes"
import { Effect, Layer, ManagedRuntime } from "effect"
import { setTimeout } from "node:timers/promises"
import type { SearchSubject } from "../SearchSubject.ts"

/** Enough for every index of the benchmark. */
const MAX_BYTES = 4 * 1024 ** 3

/** How often a guild that is being indexed is asked for, in milliseconds. */
const ASK_AGAIN_AFTER = 5

/** The use case of search over a storage, as a program that has it all in one runtime. */
export const program = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const runtime = ManagedRuntime.make(
    MemberSearch.layer.pipe(
      Layer.provideMerge(GuildAccess.layer),
      Layer.provideMerge(storage),
      Layer.provideMerge(Layer.succeed(MemberIndexMaxBytes, MAX_BYTES))
    )
  )
  const search = (callerId: UserId, guildId: GuildId, query: MemberQuery): Promise<MemberPage> =>
    runtime.runPromise(Effect.flatMap(MemberSearch, (service) => service.search(callerId, guildId, query)))
  const searchIndexed: typeof search = async (callerId, guildId, query) => {
    const page = await search(callerId, guildId, query)
    if (!page.indexing) return page
    await setTimeout(ASK_AGAIN_AFTER)
    return searchIndexed(callerId, guildId, query)
  }
  return {
    runtime,
    search,
    /** As `search`, asked again until the guild's index has been built. */
    searchIndexed,
    close: () => runtime.dispose()
  }
}

/** The service itself: the access check, the index, and the members of the page from the storage. */
export const make = async <E>(name: string, storage: Layer.Layer<StoragePorts, E>, guild: {
  readonly guildId: GuildId
  readonly ownerId: UserId
}): Promise<SearchSubject> => {
  const { close, search, searchIndexed } = program(storage)
  await searchIndexed(guild.ownerId, guild.guildId, MemberQuery.make({}))
  return {
    name,
    ranksAsSpecified: true,
    search: async (query) => {
      const { members, total } = await search(guild.ownerId, guild.guildId, query)
      return { userIds: members.map(({ userId }) => userId), total }
    },
    close
  }
}
