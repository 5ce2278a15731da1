import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type Cause, Context, Deferred, Effect, FiberId, Option, Queue, Runtime, type Scope } from "effect"
import type { CommittedMembers, MemberPieces, MemberReader } from "./CommittedMembers.ts"
import * as IndexCache from "./IndexCache.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import type { MemberIndex, MemberIndexBuilder } from "./MemberIndex.ts"
import { builder } from "./MemberIndexBuilder.ts"
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

/** Member search over the indexes of all guilds, with the guarantees of `MemberDirectory`. */
export interface GuildIndexes {
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
}

/** The number of changes that are read, and of members that are updated, at a time: takes about 5 ms. */
const AT_A_TIME = 250

/** The result while the index is being built. */
const BEING_BUILT: MemberPage = { members: [], total: 0, indexing: true }

/** A running build: completes when the index is built, or as soon as it is known to take too long for a request. */
type Build = Deferred.Deferred<"built" | "takes long", StorageError>

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
    const epoch = yield* SnowflakeEpoch
    const atOnce = yield* MembersIndexedAtOnce
    const scope = yield* Effect.scope
    // A build outlives the request, so it must not inherit the request's transaction or trace.
    const fork = Runtime.runFork(yield* Effect.runtime())
    const turns = TimeSlicer.make()
    const kept = IndexCache.make({ maxBytes: yield* MemberIndexMaxBytes, maxOutdated: atOnce })
    yield* Effect.addFinalizer(() => Effect.sync(kept.dropAll))
    const builds = new Map<GuildId, Build>()
    const pending = yield* Queue.unbounded<IndexCache.KeptIndex>()

    /** Reads all members into a builder, which works in between. */
    const fill = (making: MemberIndexBuilder, members: MemberPieces) => {
      const next = Effect.map(members, (piece) => {
        if (Option.isSome(piece)) piece.value.forEach(making.add)
        return Option.isSome(piece)
      })
      return turns.run(Effect.suspend(() => making.step() ? Effect.succeed(true) : next))
    }

    /** Builds the index of the committed members. Returns it with its position. */
    const indexOf = (guildId: GuildId, takesLong: Effect.Effect<unknown>) =>
      Effect.gen(function*() {
        const making = builder({ epoch })
        const position = yield* Effect.scoped(Effect.gen(function*() {
          const snapshot = yield* storage.snapshot(guildId)
          if ((yield* snapshot.count(atOnce + 1)) > atOnce) yield* takesLong
          yield* fill(making, snapshot.members)
          return snapshot.position
        }))
        making.end()
        yield* turns.run(Effect.sync(() => making.step()))
        return { index: making.finish(), position }
      })

    /**
     * Adds the index to the cache, after reading the changes up to the cache's position. Returns false if the storage
     * no longer has these changes.
     */
    const join = (guildId: GuildId, { index, position }: { readonly index: MemberIndex; readonly position: number }) =>
      Effect.gen(function*() {
        const outdated = new Set<UserId>()
        let reached = position
        while (reached < (kept.position() ?? reached)) {
          const news = yield* storage.read((reader) => reader.changesAfter(reached, AT_A_TIME))
          if (Option.isNone(news)) return false
          // The storage no longer has changes that the cache has seen: the log of changes was modified externally.
          if (news.value.position === reached) kept.dropAll()
          for (const change of news.value.changes) {
            if (change.guildId === guildId) outdated.add(change.userId)
          }
          reached = news.value.position
        }
        kept.keep(guildId, index, outdated, reached)
        return true
      })

    const begin = (guildId: GuildId): Build => {
      const build: Build = Deferred.unsafeMake(FiberId.none)
      builds.set(guildId, build)
      const fail = (cause: Cause.Cause<StorageError>) =>
        Effect.flatMap(
          Deferred.failCause(build, cause),
          (isTold) =>
            isTold ? Effect.void : Effect.logWarning("The index of a guild's members could not be built", cause)
        )
      const begun = performance.now()
      const succeed = Effect.suspend(() => {
        IndexMetrics.countBuild(performance.now() - begun)
        return Deferred.succeed(build, "built")
      })
      const built = indexOf(guildId, Deferred.succeed(build, "takes long")).pipe(
        Effect.flatMap((made) => join(guildId, made)),
        Effect.repeat({ until: (isJoined) => isJoined }),
        Effect.ensuring(Effect.sync(() => builds.delete(guildId)))
      )
      fork(Effect.matchCauseEffect(built, { onFailure: fail, onSuccess: () => succeed }), { scope })
      return build
    }

    /** Updates the index by one step. Returns its position if it is up to date; none if more steps are needed. */
    const updated = (entry: IndexCache.KeptIndex, reader: MemberReader) =>
      Effect.gen(function*() {
        const known = kept.position()
        if (known === undefined) return Option.none()
        const news = yield* reader.changesAfter(known, AT_A_TIME)
        // Another search updated the cache in the meantime, so this read may be outdated.
        if (kept.position() !== known) return Option.none()
        if (Option.isNone(news)) {
          kept.dropAll()
          return Option.none()
        }
        kept.markOutdated(news.value)
        if (!kept.isKept(entry) || news.value.changes.length >= AT_A_TIME) return Option.none()
        const { position } = news.value
        if (entry.outdated.size === 0) return Option.some(position)
        const userIds = firstOf(entry.outdated, AT_A_TIME)
        const current = yield* reader.indexed(entry.guildId, userIds)
        if (current.position !== position || kept.position() !== position) return Option.none()
        const gone = new Set(userIds)
        for (const member of current.members) {
          gone.delete(member.userId)
          entry.index.set(member)
        }
        for (const userId of gone) entry.index.remove(userId)
        for (const userId of userIds) entry.outdated.delete(userId)
        Queue.unsafeOffer(pending, entry)
        return entry.outdated.size === 0 ? Option.some(position) : Option.none()
      })

    /** Searches the index. None if a commit came in between, so that the search must be repeated. */
    const answer = (entry: IndexCache.KeptIndex, query: MemberQuery) =>
      storage.read((reader) =>
        Effect.gen(function*() {
          const position = yield* updated(entry, reader)
          if (Option.isNone(position)) return Option.none<MemberPage>()
          const { total, userIds } = entry.index.search(query)
          if (userIds.length === 0) return Option.some<MemberPage>({ members: [], total, indexing: false })
          const page = yield* reader.page(entry.guildId, userIds)
          if (page.position !== position.value) return Option.none<MemberPage>()
          if (page.members.length !== userIds.length) {
            // A change was not logged, for example because the database was modified externally: the index is not
            // valid.
            kept.drop(entry.guildId)
            return Option.none<MemberPage>()
          }
          return Option.some<MemberPage>({ members: page.members, total, indexing: false })
        })
      ).pipe(Effect.tapDefect(() => Effect.sync(() => kept.drop(entry.guildId))))

    const search: GuildIndexes["search"] = (guildId, query) =>
      Effect.suspend(() => {
        const entry = kept.use(guildId)
        if (entry !== undefined) {
          return Effect.flatMap(
            answer(entry, query),
            Option.match({
              onNone: () => Effect.zipRight(TimeSlicer.yieldToEventLoop, search(guildId, query)),
              onSome: Effect.succeed
            })
          )
        }
        return Effect.flatMap(
          Deferred.await(builds.get(guildId) ?? begin(guildId)),
          (outcome) => outcome === "built" ? search(guildId, query) : Effect.succeed(BEING_BUILT)
        )
      })

    /** Performs pending maintenance in small steps. */
    const compact = Effect.flatMap(
      Queue.take(pending),
      (entry) =>
        turns.run(Effect.sync(() => kept.isKept(entry) && entry.index.maintain())).pipe(
          Effect.zipRight(Effect.sync(() => kept.measure(entry))),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(
              Effect.sync(() => kept.drop(entry.guildId)),
              Effect.logWarning("The index of a guild's members is dropped, because its maintenance failed", cause)
            )
          )
        )
    )
    yield* Effect.forkScoped(Effect.forever(compact))

    return { search }
  })
