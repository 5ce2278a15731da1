import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { type Cause, Deferred, Duration, Effect, Fiber, FiberId, Option, Runtime, type Scope } from "effect"
import type { AddNextMembers, CommittedMembers, MembersSnapshot } from "./CommittedMembers.ts"
import type { IndexCache } from "./IndexCache.ts"
import * as IndexMetrics from "./IndexMetrics.ts"
import { MemberIndexBuilder } from "./MemberIndexBuilder.ts"
import type { RunInSlices } from "./TimeSlicer.ts"

/** The number of changes that are read at a time, and of members that are updated: takes about 5 ms. */
export const AT_A_TIME = 250

/**
 * How often a build reads the changes since its snapshot. The storage removes old changes, and may do so before the end of the
 * build of a large guild.
 */
const FOLLOW_INTERVAL = Duration.seconds(2)

/** The pause before a build that begins again. */
const PAUSE_AFTER_LOSS = Duration.seconds(1)

/**
 * How long a search waits for the build of an index, unless the build is known to take long. With the time in which it then
 * waits for changes, it is shorter than the default time limit of a request, 10 seconds.
 */
const BUILD_TIMEOUT = Duration.seconds(7)

/*
 * The maximum number of builds at a time. All share one thread, so more of them would end later on average, and their memory
 * does not count towards that of the indexes before they end.
 */

/** Of guilds that are indexed while a request waits. */
const SMALL_BUILDS = 8

/** Of larger guilds: a guild that is not much larger does not wait for a very large one. */
const LARGE_BUILDS = 2

/** A running build: completes when the index is built, or as soon as it is known to take too long for a request. */
type Build = Deferred.Deferred<"built" | "takes long", StorageError>

/** The changes of a guild after a snapshot of its members. */
interface Followed {
  readonly outdated: Set<UserId>
  /** The position of the last change that was read. */
  reached: number
}

/** The source of the members and the cache of the indexes. */
interface Options {
  readonly storage: CommittedMembers
  readonly cache: IndexCache
  /** The maximum number of members that are indexed while a request waits. */
  readonly atOnce: number
  readonly runInSlices: RunInSlices
  /** The clock of `cache`, in milliseconds. */
  readonly now: () => number
}

/**
 * Makes the function that waits for a guild's index, and begins to build it unless a build is running. Returns whether the
 * index is built: false if it takes too long for a request.
 */
export const make = (
  { atOnce, cache, now, runInSlices, storage }: Options
): Effect.Effect<(guildId: GuildId) => Effect.Effect<boolean, StorageError>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const epoch = yield* SnowflakeEpoch
    const scope = yield* Effect.scope
    // A build outlives the request, so it must not inherit the request's transaction or trace.
    const fork = Runtime.runFork(yield* Effect.runtime())
    const builds = new Map<GuildId, Build>()
    const smallBuilds = new FifoLock(SMALL_BUILDS)
    const largeBuilds = new FifoLock(LARGE_BUILDS)

    /** Reads all members into a builder, which works in between. */
    const fill = (builder: MemberIndexBuilder, addNext: AddNextMembers) =>
      runInSlices(Effect.suspend(() => builder.step() ? Effect.succeed(true) : addNext(builder)))

    /** Reads the next changes. Returns their count; none if the storage no longer has them. */
    const readNext = (guildId: GuildId, followed: Followed) =>
      Effect.map(
        storage.reader.changesAfter(followed.reached, AT_A_TIME),
        Option.map(({ changes, position }) => {
          for (const change of changes) if (change.guildId === guildId) followed.outdated.add(change.userId)
          followed.reached = position
          return changes.length
        })
      )

    /** Reads the changes until it is interrupted. A failed read is tried again. */
    const follow = (guildId: GuildId, followed: Followed): Effect.Effect<never> =>
      Effect.repeat(Effect.zipLeft(readNext(guildId, followed), nextTurn), {
        while: Option.contains(AT_A_TIME)
      }).pipe(
        Effect.ignore,
        Effect.delay(FOLLOW_INTERVAL),
        Effect.forever
      )

    /** Reads the members of the snapshot into a builder, and begins to read the changes since then. */
    const collect = (guildId: GuildId, { addNext, position }: MembersSnapshot) =>
      Effect.gen(function*() {
        const builder = new MemberIndexBuilder(epoch)
        const followed: Followed = { outdated: new Set(), reached: position }
        const following = yield* Effect.fork(follow(guildId, followed))
        yield* fill(builder, addNext)
        return { builder, followed, following }
      })

    const finish = ({ builder, followed, following }: Effect.Effect.Success<ReturnType<typeof collect>>) =>
      Effect.gen(function*() {
        builder.end()
        yield* runInSlices(Effect.sync(() => builder.step()))
        yield* Fiber.interrupt(following)
        return { index: builder.finish(), followed }
      })

    /** Builds the index of a guild; none if it has more members than are indexed at once. */
    const smallIndexOf = (guildId: GuildId) =>
      Effect.flatMap(storage.snapshot(guildId), (snapshot) =>
        Effect.flatMap(
          snapshot.count(atOnce + 1),
          (count) => count > atOnce ? Effect.succeedNone : Effect.asSome(collect(guildId, snapshot))
        )).pipe(
          Effect.scoped,
          Effect.flatMap(Effect.transposeMapOption(finish)),
          (building) => smallBuilds.inTurn(building)
        )

    /** Builds the index of a guild of any size. */
    const largeIndexOf = (guildId: GuildId) =>
      Effect.flatMap(storage.snapshot(guildId), (snapshot) => collect(guildId, snapshot)).pipe(
        Effect.scoped,
        Effect.flatMap(finish),
        (building) => largeBuilds.inTurn(building)
      )

    /** Builds the index of the committed members. Returns it with the changes since then, as far as they were read. */
    const indexOf = (guildId: GuildId, takesLong: Effect.Effect<unknown>) =>
      Effect.flatMap(
        smallIndexOf(guildId),
        Option.match({
          onNone: () => Effect.zipRight(takesLong, largeIndexOf(guildId)),
          onSome: Effect.succeed
        })
      )

    /**
     * Adds the index to the cache, after reading the changes up to the cache's position. Returns false if the storage
     * no longer has these changes.
     */
    const join = (guildId: GuildId, { followed, index }: Effect.Effect.Success<ReturnType<typeof indexOf>>) =>
      Effect.gen(function*() {
        while (followed.reached < (cache.position ?? followed.reached)) {
          const before = followed.reached
          if (Option.isNone(yield* readNext(guildId, followed))) return false
          // The storage no longer has changes that the cache has seen: the log of changes was modified externally.
          if (followed.reached === before) cache.dropAll()
        }
        cache.add(guildId, index, followed.outdated, followed.reached, now())
        return true
      })

    const beginAgain = Effect.zipRight(
      Effect.logWarning(
        "The index of a guild's members is built again: the storage has removed changes that were made during the build"
      ),
      Effect.withClock(Effect.sleep(PAUSE_AFTER_LOSS), realTime)
    )

    const begin = (guildId: GuildId): Build => {
      const build: Build = Deferred.unsafeMake(FiberId.none)
      builds.set(guildId, build)
      const fail = (cause: Cause.Cause<StorageError>) =>
        Effect.logWarning("The index of a guild's members could not be built").pipe(
          Effect.annotateLogs({ cause: LoggedCause.describe(cause) }),
          // A request that waits fails with this cause.
          Effect.unlessEffect(Deferred.failCause(build, cause))
        )
      const begun = performance.now()
      const succeed = Effect.suspend(() => {
        IndexMetrics.countBuild(performance.now() - begun)
        return Deferred.succeed(build, "built")
      })
      const built = indexOf(guildId, Deferred.succeed(build, "takes long")).pipe(
        Effect.flatMap((made) => join(guildId, made)),
        Effect.tap((isJoined) => isJoined ? Effect.void : beginAgain),
        Effect.repeat({ until: (isJoined) => isJoined }),
        Effect.ensuring(Effect.sync(() => builds.delete(guildId)))
      )
      fork(Effect.matchCauseEffect(built, { onFailure: fail, onSuccess: () => succeed }), { scope })
      return build
    }

    // Other builds take turns with it, so a small one can take long, too.
    return (guildId) =>
      Effect.suspend(() => Deferred.await(builds.get(guildId) ?? begin(guildId))).pipe(
        Effect.timeoutTo({
          duration: BUILD_TIMEOUT,
          onSuccess: (outcome) => outcome === "built",
          onTimeout: () => false
        }),
        Effect.withClock(realTime)
      )
  })
