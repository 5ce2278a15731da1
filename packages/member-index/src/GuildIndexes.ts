import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { Context, Duration, Effect, Fiber, Iterable, Option, Queue, Runtime, type Scope } from "effect"
import * as CachedPageReader from "./CachedPageReader.ts"
import type { CommittedMembers } from "./CommittedMembers.ts"
import type { FindMembers, IndexQuestion } from "./FoundMembers.ts"
import * as IndexBuilds from "./IndexBuilds.ts"
import { type CachedIndex, IndexCache } from "./IndexCache.ts"
import * as IndexedSearch from "./IndexedSearch.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import * as TimeSlicer from "./TimeSlicer.ts"

/** The maximum memory of all indexes together, in bytes. The most recently used index alone may exceed it. */
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

/** The maximum time for which an unused index stays in memory. Unlimited by default. */
export class MemberIndexMaxIdle
  extends Context.Reference<MemberIndexMaxIdle>()("@community-messaging/member-index/MemberIndexMaxIdle", {
    defaultValue: () => Duration.infinity
  })
{}

/** The indexes of all guilds that are searched in this process. */
export interface GuildIndexes {
  /** Begins a search of the index in this process, with the guarantees of `MemberDirectory`. */
  readonly begin: MemberDirectory["Type"]["begin"]
  /** Searches the index in this process, which may be out of date: `beginBy` checks that when it reads the members. */
  readonly find: FindMembers
  /** Begins a search like `begin`, by an index in another process, for at most `timeoutMillis`. */
  readonly beginBy: (find: FindMembers, timeoutMillis: number) => MemberDirectory["Type"]["begin"]
}

/** The indexes over a storage, for programs that divide them among several servers. */
export class MemberIndexes
  extends Context.Tag("@community-messaging/member-index/MemberIndexes")<MemberIndexes, GuildIndexes>()
{}

/** How long a search updates an index while others change it. After that, its result is `indexing`. */
export const SEARCH_TIMEOUT_MILLIS = 2000

/** How often the changes of all guilds are read, even if the guild that is searched has none. */
const CATCH_UP_MILLIS = 1000

/** How long a search waits for that read, which may itself wait for changes of other guilds. It takes some milliseconds. */
const CATCH_UP_TIMEOUT = Duration.millis(100)

/**
 * Manages the indexes of searched guilds. An index is built on the guild's first search, updated when its guild has changed,
 * and dropped when other indexes need its memory.
 */
export const make = (storage: CommittedMembers): Effect.Effect<GuildIndexes, never, Scope.Scope> =>
  Effect.gen(function*() {
    IndexMetrics.register()
    const { reader } = storage
    const clock = yield* Effect.clock
    // Monotonic time, so that no index is dropped when the wall clock is set.
    const now = () => Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
    const atOnce = yield* MembersIndexedAtOnce
    const runInSlices = TimeSlicer.make()
    const cache = new IndexCache({ maxBytes: yield* MemberIndexMaxBytes, maxOutdated: atOnce })
    yield* Effect.addFinalizer(() => Effect.sync(() => cache.dropAll()))
    const builtInTime = yield* IndexBuilds.make({ atOnce, cache, now, runInSlices, storage })
    const pending = yield* Queue.unbounded<CachedIndex>()

    const scope = yield* Effect.scope
    // The read of all changes outlives the search, so it must not inherit its transaction or trace.
    const fork = Runtime.runFork(yield* Effect.runtime())

    /** When all changes were last read. */
    let caughtUpAt = now()
    let isCatchingUp = false

    /** Reads the next changes, and updates the index by one step. A search repeats it until the index is up to date. */
    const updated = (entry: CachedIndex) =>
      Effect.gen(function*() {
        const known = cache.position
        if (known === undefined) return
        const news = yield* reader.changesAfter(known, IndexBuilds.AT_A_TIME)
        // Another search updated the cache in the meantime, so this read may be outdated.
        if (cache.position !== known) return
        if (Option.isNone(news)) return cache.dropAll()
        cache.markOutdated(news.value)
        if (news.value.changes.length >= IndexBuilds.AT_A_TIME) return
        caughtUpAt = now()
        if (!cache.has(entry)) return
        // The storage has lost changes that the index has.
        if (entry.position > news.value.position) return cache.drop(entry.guildId)
        if (entry.outdated.size === 0) return
        const { position } = news.value
        const userIds = Array.from(Iterable.take(entry.outdated, IndexBuilds.AT_A_TIME))
        const current = yield* reader.indexed(entry.guildId, userIds, position)
        if (Option.isNone(current) || cache.position !== position) return
        const gone = new Set(userIds)
        for (const member of current.value) {
          gone.delete(member.userId)
          entry.index.set(member)
        }
        for (const userId of gone) entry.index.remove(userId)
        for (const userId of userIds) entry.outdated.delete(userId)
        if (entry.isPending) return
        entry.isPending = true
        Queue.unsafeOffer(pending, entry)
      })

    /**
     * Returns the index. Drops it if its result did not match the storage without a logged change, because it is then
     * invalid; unless another search has already built it again since that result.
     */
    const cachedIndex = ({ guildId, mismatch }: IndexQuestion) => {
      const entry = cache.use(guildId, now())
      if (!Option.exists(mismatch, ({ build, isChanged }) => !isChanged && build === entry?.build)) return entry
      cache.drop(guildId)
      return undefined
    }

    const findUntil: FindMembers = (question, deadline) =>
      Effect.suspend(() => {
        const entry = cachedIndex(question)
        const position = cache.position
        if (entry === undefined || position === undefined) return buildAndFind(question, deadline)
        // An index with later changes than the recent members have would find members by names that these do not have.
        const isBehind = entry.outdated.size > 0 || entry.position > position ||
          Option.exists(question.mismatch, (known) => known.isChanged && position <= known.position)
        if (!isBehind) {
          return Effect.succeedSome({ ...entry.index.search(question.query), position, build: entry.build })
        }
        if (performance.now() >= deadline) return Effect.succeedNone
        return Effect.zipRight(
          Effect.zipRight(updated(entry), nextTurn),
          findUntil(question, deadline)
        )
      })

    /** The time of the build does not count: a new index may have to wait until the cache has read up to its position. */
    const buildAndFind: FindMembers = (question, deadline) =>
      Effect.flatMap(builtInTime(question.guildId), (isBuilt) =>
        isBuilt
          ? findUntil(
            { ...question, mismatch: Option.none() },
            Math.max(deadline, performance.now() + SEARCH_TIMEOUT_MILLIS)
          )
          : Effect.succeedNone)

    const dropOnDefect = (guildId: GuildId) => Effect.tapDefect(() => Effect.sync(() => cache.drop(guildId)))

    /**
     * Reads the changes of all guilds regularly, before the storage removes them. The search does not need them: the read of
     * its page shows whether its own guild has changed, except after a failover that lost changes. So it continues if they
     * cannot be read, or not in time.
     */
    const catchUp = (entry: CachedIndex) =>
      Effect.suspend(() => {
        if (isCatchingUp || now() - caughtUpAt < CATCH_UP_MILLIS) return Effect.void
        isCatchingUp = true
        const end = Effect.sync(() => void (isCatchingUp = false))
        const reading = fork(updated(entry).pipe(dropOnDefect(entry.guildId), Effect.ensuring(end)), { scope })
        return Effect.flatten(Fiber.await(reading)).pipe(
          Effect.ignore,
          Effect.timeoutOption(CATCH_UP_TIMEOUT),
          Effect.withClock(realTime)
        )
      })

    const find: FindMembers = (question, deadline) =>
      Effect.suspend(() => {
        const entry = cachedIndex(question)
        const found = findUntil(question, deadline)
        return entry === undefined ? found : Effect.zipRight(catchUp(entry), found)
      }).pipe(dropOnDefect(question.guildId))

    const beginBy: GuildIndexes["beginBy"] = (findThere, timeoutMillis) =>
      IndexedSearch.make(
        {
          read: reader.page,
          begin: (callerId, guildId) =>
            Effect.map(storage.caller(guildId, callerId), (caller) => ({ caller, readPage: reader.page }))
        },
        findThere,
        timeoutMillis
      )

    /** Performs pending maintenance in small steps. */
    const compact = Effect.flatMap(
      Queue.take(pending),
      (entry) => {
        // An update from now on needs another one.
        entry.isPending = false
        return runInSlices(Effect.sync(() => cache.has(entry) && entry.index.maintain())).pipe(
          Effect.zipRight(Effect.sync(() => cache.measure(entry))),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(
              Effect.sync(() => cache.drop(entry.guildId)),
              Effect.annotateLogs(
                Effect.logWarning("The index of a guild's members is dropped, because its maintenance failed"),
                { cause: LoggedCause.describe(cause) }
              )
            )
          )
        )
      }
    )
    yield* Effect.forkScoped(Effect.forever(compact))

    const maxIdle = yield* MemberIndexMaxIdle
    if (Duration.isFinite(maxIdle)) {
      const dropIdle = Effect.sync(() => cache.dropUnusedSince(now() - Duration.toMillis(maxIdle)))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(Duration.times(maxIdle, 1 / 8)), dropIdle)))
    }

    const pages = CachedPageReader.make(cache, now, storage)
    return { begin: IndexedSearch.make(pages, find, SEARCH_TIMEOUT_MILLIS), find, beginBy }
  })
