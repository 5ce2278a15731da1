import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type Cause, Context, Deferred, Effect, FiberId, Option, Queue, Runtime, type Scope } from "effect"
import type { CommittedMembers, MemberPieces, MemberReader, MembersSnapshot } from "./CommittedMembers.ts"
import * as IndexCache from "./IndexCache.ts"
import type { IndexedMember } from "./IndexedMember.ts"
import type { MemberIndex, MemberIndexBuilder } from "./MemberIndex.ts"
import { builder } from "./MemberIndexBuilder.ts"
import * as TimeSlicer from "./TimeSlicer.ts"

/** The memory that all indexes may take together, in bytes; the one that was asked last stays in any case. */
export class MemberIndexMaxBytes
  extends Context.Reference<MemberIndexMaxBytes>()("@community-messaging/member-index/MemberIndexMaxBytes", {
    defaultValue: () => 1024 ** 3
  })
{}

/** The most members that are indexed while a request waits. A larger guild's index is built in the background. */
export class MembersIndexedAtOnce
  extends Context.Reference<MembersIndexedAtOnce>()("@community-messaging/member-index/MembersIndexedAtOnce", {
    defaultValue: () => 50_000
  })
{}

/** The keeper of the guilds' indexes: member search, as `MemberDirectory` promises it. */
export interface GuildIndexes {
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
}

/** Changes read at a time, and members brought up to date at a time: little enough to take about 5 ms. */
const AT_A_TIME = 250

/** The answer while the index is being built. */
const BEING_BUILT: MemberPage = { members: [], total: 0, indexing: true }

/** An index in the making: whether it came in time for those that wait, or takes too long for that. */
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
 * Keeps indexes of the guilds that are searched. An index is built on the guild's first search, brought up to date before
 * each search with what was committed since, by whichever process, and dropped when others need its memory.
 */
export const make = (storage: CommittedMembers): Effect.Effect<GuildIndexes, never, Scope.Scope> =>
  Effect.gen(function*() {
    const epoch = yield* SnowflakeEpoch
    const atOnce = yield* MembersIndexedAtOnce
    const scope = yield* Effect.scope
    // What a request has about it, such as its transaction and its trace, is not for a build that outlives it.
    const fork = Runtime.runFork(yield* Effect.runtime())
    const turns = TimeSlicer.make()
    const kept = IndexCache.make({ maxBytes: yield* MemberIndexMaxBytes, maxOutdated: atOnce })
    const builds = new Map<GuildId, Build>()
    const pending = yield* Queue.unbounded<IndexCache.KeptIndex>()

    /** Reads all members, and works on what is left to do meanwhile. */
    const read = (pieces: MemberPieces, add: (piece: ReadonlyArray<IndexedMember>) => void, step: () => boolean) => {
      const next = Effect.map(pieces, (piece) => {
        if (Option.isSome(piece)) add(piece.value)
        return Option.isSome(piece)
      })
      return turns.run(Effect.suspend(() => step() ? Effect.succeed(true) : next))
    }

    /** Reads all of the snapshot into a builder. */
    const fill = (making: MemberIndexBuilder, snapshot: MembersSnapshot, isLarge: boolean) =>
      isLarge
        ? read(snapshot.byJoining, (piece) => piece.forEach(making.add), making.step)
        : Effect.suspend(() => {
          const all: Array<IndexedMember> = []
          return Effect.map(read(snapshot.byUserId, (piece) => all.push(...piece), () => false), () => {
            // Who joined in the same second stays in the order of user ids.
            for (const member of all.sort((self, that) => self.joinedAt - that.joinedAt)) making.add(member)
          })
        })

    /** The index of what is committed, and its position. */
    const indexOf = (guildId: GuildId, takesLong: Effect.Effect<unknown>) =>
      Effect.gen(function*() {
        const making = builder({ epoch })
        const position = yield* Effect.scoped(Effect.gen(function*() {
          const snapshot = yield* storage.snapshot(guildId)
          const isLarge = (yield* snapshot.count(atOnce + 1)) > atOnce
          if (isLarge) yield* takesLong
          yield* fill(making, snapshot, isLarge)
          return snapshot.position
        }))
        making.end()
        yield* turns.run(Effect.sync(() => making.step()))
        return { index: making.finish(), position }
      })

    /**
     * Puts the index with the others once it is known what has changed up to where those are told of everything. False where
     * the storage does not know that any more.
     */
    const join = (guildId: GuildId, { index, position }: { readonly index: MemberIndex; readonly position: number }) =>
      Effect.gen(function*() {
        const outdated = new Set<UserId>()
        let reached = position
        while (reached < (kept.position() ?? reached)) {
          const news = yield* storage.read((reader) => reader.changesAfter(reached, AT_A_TIME))
          if (Option.isNone(news)) return false
          // Changes that the others were told of have vanished: somebody has gone round the numbering.
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
      const built = indexOf(guildId, Deferred.succeed(build, "takes long")).pipe(
        Effect.flatMap((made) => join(guildId, made)),
        Effect.repeat({ until: (isJoined) => isJoined }),
        Effect.ensuring(Effect.sync(() => builds.delete(guildId)))
      )
      fork(Effect.matchCauseEffect(built, { onFailure: fail, onSuccess: () => Deferred.succeed(build, "built") }), {
        scope
      })
      return build
    }

    /** Brings the index a step nearer to what is committed; the position where it is there, none where it is not yet. */
    const updated = (entry: IndexCache.KeptIndex, reader: MemberReader) =>
      Effect.gen(function*() {
        const known = kept.position()
        if (known === undefined) return Option.none()
        const news = yield* reader.changesAfter(known, AT_A_TIME)
        // Somebody else was faster: what was read may be older than what the indexes know by now.
        if (kept.position() !== known) return Option.none()
        if (Option.isNone(news)) {
          kept.dropAll()
          return Option.none()
        }
        kept.tell(news.value)
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

    /** The answer of the index; none where something came in between, so that it is to be asked again. */
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
            // Somebody has gone round the numbering of changes: the index can not be trusted.
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

    /** Does what changes have left to do, a piece at a time. */
    const compact = Effect.flatMap(
      Queue.take(pending),
      (entry) =>
        turns.run(Effect.sync(() => kept.isKept(entry) && entry.index.maintain())).pipe(
          Effect.zipRight(Effect.sync(() => kept.measure(entry))),
          Effect.catchAllCause((cause) =>
            Effect.zipRight(
              Effect.sync(() => kept.drop(entry.guildId)),
              Effect.logWarning("The index of a guild's members is built anew: it could not be compacted", cause)
            )
          )
        )
    )
    yield* Effect.forkScoped(Effect.forever(compact))

    return { search }
  })
