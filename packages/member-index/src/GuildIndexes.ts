import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, Duration, Effect, Option, Queue, type Scope } from "effect"
import type { CommittedMembers, MemberReader } from "./CommittedMembers.ts"
import * as IndexBuilds from "./IndexBuilds.ts"
import * as IndexCache from "./IndexCache.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import * as TimeSlicer from "./TimeSlicer.ts"

/** The maximum memory of all indexes together, in bytes. The most recently used index is kept in any case. */
export class MemberIndexMaxBytes
  extends Context.Reference<MemberIndexMaxBytes>()("@community-messaging/member-index/MemberIndexMaxBytes", {
    defaultValue: () => 1024 ** 3
  })
{}

/**
 * The maximum number of members that are indexed while a request waits. A larger guild's index is built in the
 * background.
 */
export class MembersIndexedAtOnce
  extends Context.Reference<MembersIndexedAtOnce>()("@community-messaging/member-index/MembersIndexedAtOnce", {
    defaultValue: () => 50_000
  })
{}

/** How long an index is kept that nobody searches: for ever, unless told otherwise. */
export class MemberIndexMaxIdle
  extends Context.Reference<MemberIndexMaxIdle>()("@community-messaging/member-index/MemberIndexMaxIdle", {
    defaultValue: () => Duration.infinity
  })
{}

/** Member search over the indexes of all guilds, with the guarantees of `MemberDirectory`. */
export interface GuildIndexes {
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
  /** Returns whether the guild has an index. Without it, a search begins to build one. */
  readonly isIndexed: (guildId: GuildId) => boolean
}

/** The number of changes that are read, and of members that are updated, at a time: takes about 5 ms. */
const AT_A_TIME = 250

/** How long a search updates an index that others change all the while. Afterwards its result says `indexing`. */
const PATIENCE_MILLIS = 2000

/** How often the changes of all guilds are read, even if the guild that is searched has none. */
const CATCH_UP_MILLIS = 1000

/** The result while the index is being built, or cannot be brought up to date. */
const BEING_BUILT: MemberPage = { members: [], total: 0, indexing: true }

const firstOf = <A>(values: Iterable<A>, limit: number): ReadonlyArray<A> => {
  const taken: Array<A> = []
  for (const value of values) {
    if (taken.length >= limit) break
    taken.push(value)
  }
  return taken
}

/**
 * Keeps the indexes of searched guilds. An index is built on the guild's first search, updated before each search with
 * the commits of all processes since, and dropped when other indexes need its memory.
 */
export const make = (storage: CommittedMembers): Effect.Effect<GuildIndexes, never, Scope.Scope> =>
  Effect.gen(function*() {
    IndexMetrics.register()
    const clock = yield* Effect.clock
    // Monotonic time, so that no index ends when the wall clock is set.
    const now = () => Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
    const atOnce = yield* MembersIndexedAtOnce
    const turns = TimeSlicer.make()
    const kept = IndexCache.make({ maxBytes: yield* MemberIndexMaxBytes, maxOutdated: atOnce })
    yield* Effect.addFinalizer(() => Effect.sync(kept.dropAll))
    const builtInTime = yield* IndexBuilds.make({ atOnce, kept, now, storage, turns })
    const pending = yield* Queue.unbounded<IndexCache.KeptIndex>()

    /** When all changes were last known, in milliseconds of `performance.now`. */
    let caughtUpAt = performance.now()

    /** Reads the next changes, and updates the index by one step. A search repeats it until the index is up to date. */
    const update = (entry: IndexCache.KeptIndex, reader: MemberReader) =>
      Effect.gen(function*() {
        const known = kept.position()
        if (known === undefined) return
        const news = yield* reader.changesAfter(known, AT_A_TIME)
        // Another search updated the cache in the meantime, so this read may be outdated.
        if (kept.position() !== known) return
        if (Option.isNone(news)) return kept.dropAll()
        kept.markOutdated(news.value)
        if (news.value.changes.length >= AT_A_TIME) return
        caughtUpAt = performance.now()
        if (!kept.isKept(entry) || entry.outdated.size === 0) return
        const { position } = news.value
        const userIds = firstOf(entry.outdated, AT_A_TIME)
        const current = yield* reader.indexed(entry.guildId, userIds, position)
        if (Option.isNone(current) || kept.position() !== position) return
        const gone = new Set(userIds)
        for (const member of current.value) {
          gone.delete(member.userId)
          entry.index.set(member)
        }
        for (const userId of gone) entry.index.remove(userId)
        for (const userId of userIds) entry.outdated.delete(userId)
        Queue.unsafeOffer(pending, entry)
      })

    /** Searches the index as it is. None if it may not be up to date. */
    const answer = (entry: IndexCache.KeptIndex, query: MemberQuery, reader: MemberReader) =>
      Effect.suspend(() => {
        const position = kept.position()
        if (position === undefined || !kept.isKept(entry) || entry.outdated.size > 0) return Effect.succeedNone
        const { total, userIds } = entry.index.search(query)
        return Effect.map(
          reader.page(entry.guildId, userIds, position),
          Option.flatMap((members) => {
            if (members.length === userIds.length) return Option.some<MemberPage>({ members, total, indexing: false })
            // A change was not logged, for example because the database was modified externally: the index is not valid.
            kept.drop(entry.guildId)
            return Option.none()
          })
        )
      })

    /** Searches the index, or updates it by one step: then the result is none, and the search must be repeated. */
    const searchOrUpdate = (entry: IndexCache.KeptIndex, query: MemberQuery) =>
      storage.read((reader) => {
        const found = Effect.flatMap(
          answer(entry, query, reader),
          Option.match({
            onNone: () => Effect.as(update(entry, reader), Option.none<MemberPage>()),
            onSome: Effect.succeedSome
          })
        )
        // A guild without changes needs no update, but changes that are never read are no longer in the storage one day.
        return performance.now() - caughtUpAt < CATCH_UP_MILLIS ? found : Effect.zipRight(update(entry, reader), found)
      }).pipe(Effect.tapDefect(() => Effect.sync(() => kept.drop(entry.guildId))))

    const searchUntil = (end: number, guildId: GuildId, query: MemberQuery): Effect.Effect<MemberPage, StorageError> =>
      Effect.suspend(() => {
        const entry = kept.use(guildId, now())
        if (entry !== undefined) {
          return Effect.flatMap(
            searchOrUpdate(entry, query),
            Option.match({
              onNone: () =>
                performance.now() < end
                  ? Effect.zipRight(TimeSlicer.yieldToEventLoop, searchUntil(end, guildId, query))
                  : Effect.succeed(BEING_BUILT),
              onSome: Effect.succeed
            })
          )
        }
        return Effect.flatMap(
          builtInTime(guildId),
          (isBuilt) => isBuilt ? searchUntil(end, guildId, query) : Effect.succeed(BEING_BUILT)
        )
      })

    const search: GuildIndexes["search"] = (guildId, query) =>
      Effect.suspend(() => searchUntil(performance.now() + PATIENCE_MILLIS, guildId, query))

    /** Performs pending maintenance in small steps. */
    const compact = Effect.flatMap(
      Queue.take(pending),
      (entry) =>
        turns.run(Effect.sync(() => kept.isKept(entry) && entry.index.maintain())).pipe(
          Effect.zipRight(Effect.sync(() => kept.measure(entry))),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(
              Effect.sync(() => kept.drop(entry.guildId)),
              Effect.annotateLogs(
                Effect.logWarning("The index of a guild's members is dropped, because its maintenance failed"),
                { cause: LoggedCause.describe(cause) }
              )
            )
          )
        )
    )
    yield* Effect.forkScoped(Effect.forever(compact))

    const maxIdle = yield* MemberIndexMaxIdle
    if (Duration.isFinite(maxIdle)) {
      const dropIdle = Effect.sync(() => kept.dropUnusedSince(now() - Duration.toMillis(maxIdle)))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(Duration.times(maxIdle, 1 / 8)), dropIdle)))
    }

    return { search, isIndexed: kept.has }
  })
