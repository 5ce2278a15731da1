import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { type MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { MemberIndexMaxBytes } from "@community-messaging/member-index/GuildIndexes"
import { Effect, Layer, ManagedRuntime } from "effect"
import { setTimeout } from "node:timers/promises"
import type { SearchSubject } from "../SearchSubject.ts"

/** Enough for every index of the benchmark. */
const MAX_BYTES = 4 * 1024 ** 3

/** The interval between searches of a guild that is being indexed, in milliseconds. */
const SEARCH_AGAIN_AFTER = 5

/** The use case of search over a storage, in one runtime. */
export const program = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const runtime = ManagedRuntime.make(
    MemberSearch.layer.pipe(
      Layer.provideMerge(storage),
      Layer.provideMerge(Layer.succeed(MemberIndexMaxBytes, MAX_BYTES)),
      // As the server runs it.
      Layer.provideMerge(Layer.setTracerEnabled(false))
    )
  )
  const search = (callerId: UserId, guildId: GuildId, query: MemberQuery): Promise<MemberPage> =>
    runtime.runPromise(Effect.flatMap(MemberSearch, (service) => service.search(callerId, guildId, query)))
  const searchIndexed: typeof search = async (callerId, guildId, query) => {
    const page = await search(callerId, guildId, query)
    if (!page.indexing) return page
    await setTimeout(SEARCH_AGAIN_AFTER)
    return searchIndexed(callerId, guildId, query)
  }
  return {
    runtime,
    search,
    /** `search`, repeated until the guild's index has been built. */
    searchIndexed,
    close: () => runtime.dispose()
  }
}

/** The result of `program`. */
export type Program = ReturnType<typeof program>

/** A service that has been started and has the guild indexed. */
export interface StartedService {
  readonly subject: SearchSubject
  readonly service: Program
  /** From its start to the first exact answer, in milliseconds. */
  readonly firstAnswer: number
}

/** The service itself: the access check, the index, and the members of the page from the storage. */
export const start = async <E>(name: string, storage: Layer.Layer<StoragePorts, E>, guild: {
  readonly guildId: GuildId
  readonly ownerId: UserId
}): Promise<StartedService> => {
  const begin = performance.now()
  const service = program(storage)
  await service.searchIndexed(guild.ownerId, guild.guildId, MemberQuery.make({}))
  const firstAnswer = performance.now() - begin
  const search: SearchSubject["search"] = async (query) => {
    const { members, total } = await service.search(guild.ownerId, guild.guildId, query)
    return { userIds: members.map(({ userId }) => userId), total }
  }
  return { subject: { name, ranksAsSpecified: true, search, close: service.close }, service, firstAnswer }
}
