import * as Users from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { type MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import type { AddNextMembers, CommittedMembers } from "@community-messaging/member-index/CommittedMembers"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { IndexCache } from "@community-messaging/member-index/IndexCache"
import { fromMember, type IndexedMember } from "@community-messaging/member-index/IndexedMember"
import { MemberIndexBuilder } from "@community-messaging/member-index/MemberIndexBuilder"
import { RECENT_MILLIS } from "@community-messaging/member-index/RecentMembers"
import { describe, expect, it, vi } from "@effect/vitest"
import {
  Array as Arrays,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Logger,
  Metric,
  MetricState,
  Option,
  Scope,
  TestClock
} from "effect"
import { member } from "./Member.ts"

const SIZE = 4

const guild = (number: number) => GuildId.make(String(number))

/** Adds the pieces, one at a time. */
const adding = (
  pieces: Array<ReadonlyArray<IndexedMember>>,
  before: Effect.Effect<void, StorageError> = Effect.void
): AddNextMembers =>
(builder) =>
  Effect.map(before, () => {
    const piece = pieces.shift()
    piece?.forEach(builder.add)
    return piece !== undefined
  })

/**
 * A storage whose guilds have `SIZE` members at first. It records which indexes are built, how many members it reads for
 * them, and which it reads to show them, or that it reads the last change alone.
 */
const makeStorage = () => {
  const guilds = new Map<GuildId, ReadonlyArray<GuildMember>>()
  const log: Array<{ readonly guildId: GuildId; readonly userId: Users.UserId }> = []
  const built: Array<GuildId> = []
  const readAtOnce: Array<number> = []
  const shown: Array<ReadonlyArray<Users.UserId> | "last change"> = []
  const nothing: Effect.Effect<void, StorageError> = Effect.void
  const hooks = {
    forgotten: 0,
    /** Whether each last change seems to be newer than the index. */
    hasChanged: false,
    beforeChanges: nothing,
    beforeSnapshot: nothing,
    beforeBuild: nothing,
    beforeNext: nothing,
    beforePage: nothing,
    afterPage: nothing,
    beforeLastChange: nothing,
    beforeMembers: nothing,
    afterMembers: nothing
  }
  const members = (guildId: GuildId) =>
    guilds.get(guildId) ?? Arrays.range(1, SIZE).map((number) => member(guildId, number))
  const of = (guildId: GuildId, userIds: ReadonlyArray<Users.UserId>) =>
    userIds.flatMap((userId) => members(guildId).filter((other) => other.userId === userId))
  const at = <A>(guildId: GuildId, position: number, read: () => A) =>
    log.slice(position).some((change) => change.guildId === guildId) ? Option.none() : Option.some(read())
  const lastChange = (guildId: GuildId) =>
    Effect.zipRight(
      Effect.suspend(() => hooks.beforeLastChange),
      Effect.sync(() => {
        shown.push("last change")
        const last = log.findLastIndex((change) => change.guildId === guildId) + 1
        return (position: number) => !hooks.hasChanged && last <= position
      })
    )
  const storage: CommittedMembers = {
    reader: {
      changesAfter: (position, limit) =>
        Effect.zipRight(
          Effect.suspend(() => hooks.beforeChanges),
          Effect.sync(() => {
            if (position < hooks.forgotten) return Option.none()
            const changes = log.slice(position, position + limit)
            return Option.some({ changes, position: position + changes.length })
          })
        ),
      indexed: (guildId, userIds, position) =>
        Effect.suspend(() => hooks.beforeMembers).pipe(
          Effect.map(() => {
            readAtOnce.push(userIds.length)
            return at(guildId, position, () => of(guildId, userIds).map(fromMember))
          }),
          Effect.tap(Effect.suspend(() => hooks.afterMembers))
        ),
      page: (guildId, userIds, position) =>
        Effect.zipRight(
          Effect.suspend(() => hooks.beforePage),
          Effect.sync(() => {
            shown.push(userIds)
            return at(guildId, position, () => of(guildId, userIds))
          })
        ).pipe(Effect.tap(Effect.suspend(() => hooks.afterPage)))
    },
    caller: () => Effect.succeedNone,
    callerWithLastChange: (_callerId, guildId) =>
      Effect.map(lastChange(guildId), (hasLastChange) => ({ caller: Option.none(), hasLastChange })),
    snapshot: (guildId) =>
      Effect.gen(function*() {
        yield* hooks.beforeSnapshot
        const position = log.length
        const all = members(guildId).map(fromMember)
        const pieces = Arrays.chunksOf(all, 2)
        yield* hooks.beforeBuild
        let hasBegun = false
        return {
          position,
          count: (limit) => Effect.succeed(Math.min(limit, all.length)),
          addNext: adding(
            pieces,
            Effect.suspend(() => {
              if (!hasBegun) built.push(guildId)
              hasBegun = true
              return hooks.beforeNext
            })
          )
        }
      })
  }
  return {
    storage,
    built,
    readAtOnce,
    shown,
    hooks,
    /** Returns all guilds to their first state, as a standby that has not received the changes. */
    lose: () => {
      guilds.clear()
      log.length = 0
    },
    removeUntold: (guildId: GuildId, userId: Users.UserId) => {
      guilds.set(guildId, members(guildId).filter((other) => other.userId !== userId))
    },
    save: (saved: GuildMember) => {
      const others = members(saved.guildId).filter(({ userId }) => userId !== saved.userId)
      guilds.set(saved.guildId, [...others, saved].toSorted((self, that) => self.joinedAt - that.joinedAt))
      log.push({ guildId: saved.guildId, userId: saved.userId })
    }
  }
}

const CALLER = Users.UserId.make("1")

const searchBy = (begin: GuildIndexes.GuildIndexes["begin"], number: number, text = "") =>
  Effect.flatMap(begin(CALLER, guild(number)), ({ search }) => search(MemberQuery.make({ text, sortOrder: "asc" })))

const summaryOf = ({ indexing, members, total }: MemberPage) =>
  indexing ? "indexing" : [total, ...members.map(({ username }) => username)]

const make = ({ storage }: { readonly storage: CommittedMembers }, settings: {
  readonly atOnce?: number
  readonly maxBytes?: number
  readonly maxIdle?: Duration.DurationInput
  readonly text?: string
} = {}) =>
  GuildIndexes.make(storage).pipe(
    Effect.provideService(GuildIndexes.MembersIndexedAtOnce, settings.atOnce ?? 1000),
    Effect.provideService(GuildIndexes.MemberIndexMaxBytes, settings.maxBytes ?? 2 ** 30),
    Effect.provideService(GuildIndexes.MemberIndexMaxIdle, Duration.decode(settings.maxIdle ?? Duration.infinity)),
    Effect.map(({ begin }) => (number: number) => Effect.map(searchBy(begin, number, settings.text), summaryOf))
  )

/** A storage, and a search of its guilds. */
const makeSearched = (settings?: Parameters<typeof make>[1]) => {
  const world = makeStorage()
  return Effect.map(make(world, settings), (search) => ({ search, world }))
}

/** The same after a first search of guild 1, so that it has an index. */
const searchedOnce = (settings?: Parameters<typeof makeSearched>[0]) =>
  Effect.tap(makeSearched(settings), ({ search }) => search(1))

const EVERYBODY = [SIZE, "ada1", "ada2", "ada3", "ada4"]

const failure = new StorageError({ operation: "read" })

/** Lets the background work finish. */
const letAllRun = Effect.repeatN(nextTurn, 50)

/** Begins a slow search: it waits at the next run of the hook until `goOn`. */
const held = <A, E>(
  search: Effect.Effect<A, E>,
  { hooks }: ReturnType<typeof makeStorage>,
  hook: "afterMembers" | "afterPage" | "beforeLastChange" | "beforePage"
) =>
  Effect.gen(function*() {
    const released = yield* Deferred.make<void>()
    hooks[hook] = Effect.suspend(() => {
      hooks[hook] = Effect.void
      return Deferred.await(released)
    })
    const slow = yield* Effect.fork(search)
    yield* letAllRun
    return { goOn: Deferred.succeed(released, undefined), slow }
  })

describe("a guild's index", () => {
  it.scoped.each([["a failure", failure], ["a defect", Effect.dieMessage("broken")]] as const)(
    "that could not be built because of %s fails all waiting searches with it, and is tried again",
    ([, broken]) =>
      Effect.gen(function*() {
        const { search, world } = yield* makeSearched()
        world.hooks.beforeBuild = broken
        const waiting = yield* Effect.forEach([1, 1], (number) => Effect.exit(search(number)), {
          concurrency: "unbounded"
        })
        world.hooks.beforeBuild = Effect.void
        const exit = yield* Effect.exit(broken)
        expect([waiting, yield* search(1)]).toEqual([[exit, exit], EVERYBODY])
      })
  )

  it.scoped("adds members over several turns of the event loop", () =>
    Effect.gen(function*() {
      let turn = 0
      yield* Effect.forkScoped(Effect.forever(Effect.tap(nextTurn, () => {
        turn += 1
      })))
      const turns = new Set<number>()
      const pieces = Arrays.chunksOf(
        Arrays.makeBy(20_000, (number) => ({
          ...fromMember(member(guild(1), number)),
          get roleIds() {
            turns.add(turn)
            return []
          }
        })),
        250
      )
      const addNext = adding(pieces)
      const search = yield* make({
        storage: {
          ...makeStorage().storage,
          snapshot: () => Effect.succeed({ position: 0, count: () => Effect.succeed(20_000), addNext })
        }
      }, { atOnce: 20_000, text: "grace" })
      expect([yield* search(1), turns.size > 1]).toEqual([[0], true])
    }))

  it.scoped("is built once for first searches at a time, also when the one that began it is interrupted", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      const goOn = yield* Deferred.make<void>()
      world.hooks.beforeBuild = Deferred.await(goOn)
      const first = yield* Effect.fork(search(1))
      yield* letAllRun
      const second = yield* Effect.fork(search(1))
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(goOn, undefined)
      expect([yield* Fiber.join(second), world.built]).toEqual([EVERYBODY, [guild(1)]])
    }))

  it.scoped("of many members is built once in the background, and tried again if that failed", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched({ atOnce: SIZE - 1 })
      world.hooks.beforeNext = failure
      yield* search(1)
      yield* letAllRun
      world.hooks.beforeNext = Effect.void
      const meanwhile = [yield* search(1), yield* search(1)]
      yield* letAllRun
      expect([meanwhile, yield* search(1), world.built])
        .toEqual([["indexing", "indexing"], EVERYBODY, [guild(1), guild(1)]])
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))

  it.scoped("is searched as soon as it is built, also after more than two seconds and behind changes of other guilds", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      const begun = performance.now()
      const clock = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(performance, "now").mockReturnValue(begun)),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      world.save(member(guild(3), 1))
      world.hooks.beforeBuild = Effect.sync(() => void clock.mockReturnValue(begun + 3000))
      expect(yield* search(2)).toEqual(EVERYBODY)
    }))

  /** A storage with snapshots that are never ready, after the first `answered` of each guild, except those of guild 4. */
  const withoutSnapshots = ({ storage }: ReturnType<typeof makeStorage>, answered: number) => {
    const opened = new Map<GuildId, number>()
    const snapshot: CommittedMembers["snapshot"] = (guildId) =>
      Effect.suspend(() => {
        const count = (opened.get(guildId) ?? 0) + 1
        opened.set(guildId, count)
        return count > answered && guildId !== guild(4) ? Effect.never : storage.snapshot(guildId)
      })
    const waiting = () => [...opened.values()].filter((count) => count > answered).length
    return { storage: { ...storage, snapshot }, waiting }
  }

  it.scoped("of a small guild is built together with at most seven others", () =>
    Effect.gen(function*() {
      const { storage, waiting } = withoutSnapshots(makeStorage(), 0)
      const search = yield* make({ storage })
      yield* Effect.forEach(Arrays.range(5, 14), (number) => Effect.forkScoped(search(number)))
      yield* letAllRun
      expect(waiting()).toBe(8)
    }))

  it.scoped("of many members is built together with at most one other, and small guilds are searched meanwhile", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      const large = [1, 2, 3]
      for (const number of large) world.save(member(guild(number), SIZE + 1))
      // The first snapshot of a guild is to count its members.
      const { storage, waiting } = withoutSnapshots(world, 1)
      const search = yield* make({ storage }, { atOnce: SIZE })
      yield* Effect.forEach(large, search)
      yield* letAllRun
      expect([waiting(), yield* search(4)]).toEqual([2, EVERYBODY])
    }))

  it.scoped("has the commits during its build, also those that other searches have read and the storage has removed", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* search(2)
      const [begin, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      world.hooks.beforeBuild = Deferred.await(begin)
      world.hooks.beforeNext = Deferred.await(goOn)
      const building = yield* Effect.fork(search(1))
      yield* letAllRun
      world.save(member(guild(1), 9, { username: "grace" }))
      yield* TestClock.adjust("1 second")
      yield* search(2)
      yield* Deferred.succeed(begin, undefined)
      yield* letAllRun
      world.save(member(guild(1), 10, { username: "alan" }))
      yield* TestClock.adjust("2 seconds")
      yield* search(2)
      world.hooks.forgotten = 1
      yield* Deferred.succeed(goOn, undefined)
      const found = [SIZE + 2, ...EVERYBODY.slice(1), "grace", "alan"]
      expect([yield* Fiber.join(building), world.built]).toEqual([found, [guild(2), guild(1)]])
    }))

  /** Begins to build the index of guild 1, and returns when the index of guild 2 has a later change, of guild 1. */
  const builtBehindAnother = Effect.gen(function*() {
    const { search, world } = yield* makeSearched()
    yield* search(2)
    const goOn = yield* Deferred.make<void>()
    world.hooks.beforeNext = Deferred.await(goOn)
    const building = yield* Effect.fork(search(1))
    yield* letAllRun
    world.save(member(guild(1), 9, { username: "grace" }))
    yield* TestClock.adjust("1 second")
    yield* search(2)
    return { building, goOn: Deferred.succeed(goOn, undefined), search, world }
  })

  it.scoped("is not searched without a change during its build that the storage has removed", () =>
    Effect.gen(function*() {
      const { building, goOn, world } = yield* builtBehindAnother
      world.hooks.forgotten = 1
      yield* goOn
      yield* letAllRun
      // The next build begins a second later.
      expect(building.unsafePoll()).toBe(null)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger))))

  it.scoped("replaces all others if the storage loses, during its build, a change that they have", () =>
    Effect.gen(function*() {
      const { building, goOn, search, world } = yield* builtBehindAnother
      world.lose()
      yield* goOn
      expect([yield* Fiber.join(building), yield* search(2), world.built])
        .toEqual([EVERYBODY, EVERYBODY, [guild(2), guild(1), guild(2)]])
    }))

  it.scoped("is searched again if a commit came before its page was read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.hooks.beforePage = Effect.sync(() => {
        world.hooks.beforePage = Effect.void
        world.save(member(guild(1), 9, { username: "grace" }))
      })
      expect(yield* search(1)).toEqual([SIZE + 1, ...EVERYBODY.slice(1), "grace"])
    }))

  it.scoped("is updated with commits that came while its members were read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(1), 2, { username: "grace", joinedAt: 9 }))
      world.hooks.beforeMembers = Effect.sync(() => {
        world.hooks.beforeMembers = Effect.void
        world.save(member(guild(1), 9, { username: "alan" }))
      })
      expect([yield* search(1), world.built]).toEqual([[SIZE + 1, "ada1", "ada3", "ada4", "grace", "alan"], [guild(1)]])
    }))

  it.scoped("does not return to an older state that a slower search has read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce({ text: "grace" })
      world.save(member(guild(1), 2, { username: "grace" }))
      const { goOn, slow } = yield* held(search(1), world, "afterMembers")
      world.save(member(guild(1), 2, { username: "alan" }))
      yield* search(1)
      yield* goOn
      expect(yield* Fiber.join(slow)).toEqual([0])
    }))

  it.scoped("is updated a few members at a time, so that others wait only milliseconds", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      for (const number of Arrays.range(1, 600)) world.save(member(guild(1), number))
      expect([(yield* search(1))[0], world.readAtOnce]).toEqual([600, [250, 250, 100]])
    }))

  it.scoped("is updated past the changes of other guilds before the storage removes them", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(2), 2))
      yield* TestClock.adjust("1 second")
      yield* Effect.forEach([3, 1], search)
      world.hooks.forgotten = 1
      world.save(member(guild(1), 2, { username: "grace", joinedAt: 9 }))
      const found = [SIZE, "ada1", "ada3", "ada4", "grace"]
      expect([yield* search(1), world.built]).toEqual([found, [guild(1), guild(3)]])
    }))

  it.scoped.each([["fail", failure], ["are not answered", Effect.never]] as const)(
    "is searched while reads of other guilds' changes %s, and no search waits for a read that another one has begun",
    ([, broken]) =>
      Effect.gen(function*() {
        const { search, world } = yield* searchedOnce()
        world.hooks.beforeChanges = broken
        yield* TestClock.adjust("1 second")
        expect(yield* search(1)).toEqual(EVERYBODY)
        let begun = 0
        world.hooks.beforeChanges = Effect.zipRight(Effect.sync(() => begun += 1), Effect.never)
        const searches = Effect.replicateEffect(search(1), 20, { concurrency: "unbounded" })
        expect(new Set((yield* searches).map(String))).toEqual(new Set([String(EVERYBODY)]))
        expect(begun).toBe(broken === failure ? 1 : 0)
      })
  )

  it.scoped("with changes is not searched without them, if these cannot be read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(1), 9, { username: "grace" }))
      world.hooks.beforeChanges = failure
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.flip(search(1))).toEqual(failure)
      world.hooks.beforeChanges = Effect.void
      expect(yield* search(1)).toEqual([SIZE + 1, ...EVERYBODY.slice(1), "grace"])
    }))

  it.scoped("that failed with a defect during the read of all changes is built again", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.hooks.beforeChanges = Effect.dieMessage("broken")
      yield* TestClock.adjust("1 second")
      yield* Effect.exit(search(1))
      world.hooks.beforeChanges = Effect.void
      expect([yield* search(1), world.built]).toEqual([EVERYBODY, [guild(1), guild(1)]])
    }))

  it.scoped("that failed with a defect during an update is built again", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(1), 2, { username: "grace", joinedAt: 9 }))
      world.hooks.beforeMembers = Effect.dieMessage("broken")
      yield* Effect.exit(search(1))
      world.hooks.beforeMembers = Effect.void
      expect([yield* search(1), world.built]).toEqual([[SIZE, "ada1", "ada3", "ada4", "grace"], [guild(1), guild(1)]])
    }))

  it.scoped("is built again if the storage no longer has the later changes", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(1), 2, { username: "grace", joinedAt: 9 }))
      world.save(member(guild(2), 2))
      world.hooks.forgotten = 1
      expect([yield* search(1), world.built]).toEqual([[SIZE, "ada1", "ada3", "ada4", "grace"], [guild(1), guild(1)]])
    }))

  it.scoped("is built again if more members changed than are indexed at once", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce({ atOnce: SIZE })
      for (const number of Arrays.range(1, SIZE)) world.save(member(guild(1), number, { username: "x" }))
      const before = [yield* search(1), world.built.length]
      for (const number of Arrays.range(0, SIZE)) world.save(member(guild(1), number, { username: "y" }))
      yield* search(1)
      expect([before, world.built.length]).toEqual([[[SIZE, "x", "x", "x", "x"], 1], 2])
    }))

  it.scoped("is built again some seconds after a change that bypassed the log, only once if several searches find that", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.removeUntold(guild(1), Users.UserId.make("2"))
      yield* TestClock.adjust(RECENT_MILLIS)
      const { goOn, slow } = yield* held(search(1), world, "beforePage")
      const found = [SIZE - 1, "ada1", "ada3", "ada4"]
      expect([yield* search(1), world.built.length]).toEqual([found, 2])
      yield* goOn
      expect([yield* Fiber.join(slow), world.built.length]).toEqual([found, 2])
    }))
})

const ids = (...numbers: ReadonlyArray<number>) => numbers.map((number) => Users.UserId.make(String(number)))

describe("the maintenance of indexes", () => {
  it.scoped("does not fall behind searches of indexes that change often", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      const guilds = Arrays.range(1, 30)
      yield* Effect.forEach(guilds, search)
      yield* letAllRun
      const measure = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(IndexCache.prototype, "measure")),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      const changeAndSearch = (number: number) =>
        Effect.suspend(() => {
          world.save(member(guild(number), 1))
          return search(number)
        })
      yield* Effect.repeatN(Effect.forEach(guilds, changeAndSearch, { concurrency: "unbounded" }), 20)
      measure.mockClear()
      yield* Effect.repeatN(nextTurn, 500)
      expect(measure.mock.calls.length).toBeLessThanOrEqual(guilds.length)
    }))
})

describe("the members of a page", () => {
  it.scoped("are read again after a change", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce()
      world.save(member(guild(1), 2, { username: "ADA2" }))
      expect(yield* search(1)).toEqual([SIZE, "ada1", "ADA2", "ada3", "ada4"])
      expect(world.shown).toEqual([ids(1, 2, 3, 4), [], ids(2)])
    }))

  it.scoped("are read again after some seconds, and not before if they are found again", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      const found = [yield* search(1)]
      yield* TestClock.adjust(RECENT_MILLIS - 1)
      found.push(yield* search(1))
      yield* TestClock.adjust(1)
      found.push(yield* search(1))
      expect([found, world.shown])
        .toEqual([Arrays.replicate(EVERYBODY, 3), [ids(1, 2, 3, 4), [], ids(1, 2, 3, 4)]])
    }))

  it.scoped.each([["while they were read", 0], ["after they were found in memory", 1]] as const)(
    "are those of one state, and read again, if another search applied a change %s",
    ([, searchesBefore]) =>
      Effect.gen(function*() {
        const { search, world } = yield* makeSearched()
        yield* Effect.replicateEffect(search(1), searchesBefore)
        const { goOn, slow } = yield* held(search(1), world, "afterPage")
        world.save(member(guild(1), 2, { username: "ADA2" }))
        yield* search(1)
        yield* goOn
        expect([yield* Fiber.join(slow), yield* search(1), world.built])
          .toEqual([EVERYBODY, [SIZE, "ada1", "ADA2", "ada3", "ada4"], [guild(1)]])
      })
  )

  it.scoped("are read again after all indexes were dropped, whose changes were then not read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce({ maxIdle: "8 seconds" })
      yield* TestClock.adjust("9 seconds")
      world.save(member(guild(1), 2, { username: "ADA2" }))
      expect(yield* search(1)).toEqual([SIZE, "ada1", "ADA2", "ada3", "ada4"])
    }))
})

describe("the members of a page after one whose members were in memory", () => {
  it.scoped("are taken from memory with only the last change, if those of the last page were in memory", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      expect(yield* Effect.forEach([1, 1, 1, 1], search)).toEqual(Arrays.replicate(EVERYBODY, 4))
      expect(world.shown).toEqual([ids(1, 2, 3, 4), [], "last change", "last change"])
    }))

  it.scoped("are read if they are not in memory after all", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* Effect.forEach([1, 1], search)
      expect(yield* Effect.forEach([2, 2], search)).toEqual([EVERYBODY, EVERYBODY])
      expect(world.shown).toEqual([ids(1, 2, 3, 4), [], ids(1, 2, 3, 4), []])
    }))

  it.scoped("are read if only some of them are in memory", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      const { begin } = yield* GuildIndexes.make(world.storage)
      yield* Effect.forEach(["ada1", "ada1"], (text) => searchBy(begin, 1, text))
      expect((yield* searchBy(begin, 1)).members.map(({ username }) => username)).toEqual(EVERYBODY.slice(1))
      yield* letAllRun
      expect(world.shown).toEqual([ids(1), [], "last change", ids(2, 3, 4)])
    }))

  it.scoped("have the names by which an index finds them that was built after their last change was read", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      const { begin } = yield* Effect.provideService(
        GuildIndexes.make(world.storage),
        GuildIndexes.MemberIndexMaxBytes,
        1
      )
      yield* Effect.forEach([1, 1], (number) => searchBy(begin, number))
      // Drops the index of the first guild, but not its members.
      yield* searchBy(begin, 2)
      yield* searchBy(begin, 2)
      world.hooks.beforeSnapshot = Effect.sync(() => {
        world.hooks.beforeSnapshot = Effect.void
        world.save(member(guild(1), 2, { username: "grace" }))
      })
      const found = yield* searchBy(begin, 1, "grace")
      expect([found.total, found.members.map(({ username }) => username)]).toEqual([1, ["grace"]])
    }))

  it.scoped("are those of a new index if the storage has lost the changes that the last one had", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* search(2)
      world.save(member(guild(1), 2, { username: "grace" }))
      world.hooks.beforeNext = Effect.sync(() => {
        world.hooks.beforeNext = Effect.void
        world.lose()
      })
      expect([yield* search(1), world.built]).toEqual([EVERYBODY, [guild(2), guild(1), guild(1)]])
    }))

  it.scoped("are checked again if the last change seemed to be newer than the index, and read again if it is", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* Effect.forEach([1, 1], search)
      world.hooks.hasChanged = true
      expect([yield* search(1), world.shown.slice(2)]).toEqual([EVERYBODY, ["last change", []]])
      world.hooks.hasChanged = false
      world.save(member(guild(1), 2, { username: "ADA2" }))
      expect([yield* search(1), world.shown.at(4)]).toEqual([[SIZE, "ada1", "ADA2", "ada3", "ada4"], "last change"])
    }))

  it.scoped("are not returned if the last change cannot be read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* Effect.forEach([1, 1], search)
      world.hooks.beforeLastChange = failure
      expect(yield* Effect.flip(search(1))).toEqual(failure)
    }))

  it.scoped("are read again if another search applied a change before the last change was read", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched()
      yield* Effect.forEach([1, 1], search)
      const { goOn, slow } = yield* held(search(1), world, "beforeLastChange")
      world.save(member(guild(1), 2, { username: "ADA2" }))
      yield* search(1)
      yield* goOn
      expect(yield* Fiber.join(slow)).toEqual([SIZE, "ada1", "ADA2", "ada3", "ada4"])
    }))
})

describe("a guild's index on another server", () => {
  it.scoped("is updated when the page that this server reads has a later change", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      const { find } = yield* GuildIndexes.make(world.storage)
      const { beginBy } = yield* GuildIndexes.make(world.storage)
      const search = Effect.map(searchBy(beginBy(find, GuildIndexes.SEARCH_TIMEOUT_MILLIS), 1), summaryOf)
      yield* search
      world.save(member(guild(1), 2, { username: "grace", joinedAt: 9 }))
      expect([yield* search, world.built]).toEqual([[SIZE, "ada1", "ada3", "ada4", "grace"], [guild(1)]])
    }))

  it.scoped("returns none if no time is left for its update", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      const { find } = yield* GuildIndexes.make(world.storage)
      const question = { guildId: guild(1), query: MemberQuery.make({}), mismatch: Option.none() }
      const { build, position } = Option.getOrThrow(yield* find(question, Infinity))
      world.save(member(guild(1), 9))
      const changed = { ...question, mismatch: Option.some({ build, position, isChanged: true }) }
      const found = [yield* find(changed, -Infinity), yield* find(changed, Infinity)]
      expect(found.map(Option.map(({ total }) => total))).toEqual([Option.none(), Option.some(SIZE + 1)])
    }))

  it.scoped("is reported as being indexed if its server has no result", () =>
    Effect.gen(function*() {
      const { beginBy } = yield* GuildIndexes.make(makeStorage().storage)
      const begin = beginBy(() => Effect.succeedNone, GuildIndexes.SEARCH_TIMEOUT_MILLIS)
      expect(yield* searchBy(begin, 1)).toEqual({ members: [], total: 0, indexing: true })
    }))

  it.scoped("is searched until the timeout if it never has the last commit", () =>
    Effect.gen(function*() {
      const world = makeStorage()
      world.save(member(guild(1), 2, { username: "grace" }))
      const { beginBy } = yield* GuildIndexes.make(world.storage)
      const behind = Effect.succeedSome({ userIds: [], total: 0, position: 0, build: 1 })
      const begin = beginBy(() => Effect.zipLeft(behind, nextTurn), 20)
      expect(yield* searchBy(begin, 1)).toEqual({ members: [], total: 0, indexing: true })
    }))
})

/** The memory of the index of a guild with `SIZE` members. */
const bytesOfOne = () => {
  const making = new MemberIndexBuilder(0)
  for (const number of Arrays.range(1, SIZE)) making.add(fromMember(member(guild(1), number)))
  return making.finish().bytes()
}

/** The number of indexes, by the metric. */
const indexes = Effect.map(Metric.snapshot, (pairs) => {
  const state = pairs.find(({ metricKey }) => metricKey.name === "community_messaging_member_indexes")?.metricState
  return MetricState.isCounterState(state) ? Number(state.count) : 0
})

describe("when the service ends", () => {
  it.effect("its indexes are dropped", () =>
    Effect.gen(function*() {
      const before = yield* indexes
      const open = yield* Effect.scoped(Effect.zipRight(searchedOnce(), indexes))
      expect([open, yield* indexes]).toEqual([before + 1, before])
    }))

  it.effect("its builds end, and read no more changes", () =>
    Effect.gen(function*() {
      let reads = 0
      const { hooks, storage } = makeStorage()
      const changesAfter: typeof storage.reader.changesAfter = (...at) =>
        Effect.zipRight(Effect.sync(() => reads += 1), storage.reader.changesAfter(...at))
      const scope = yield* Scope.make()
      const search = yield* Scope.extend(
        make({ storage: { ...storage, reader: { ...storage.reader, changesAfter } } }),
        scope
      )
      hooks.beforeNext = Effect.never
      yield* Effect.fork(search(1))
      yield* letAllRun
      yield* TestClock.adjust("2 seconds")
      yield* letAllRun
      const before = reads
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("10 seconds")
      yield* letAllRun
      expect([before, reads]).toEqual([1, 1])
    }))
})

describe("guilds' indexes that exceed the memory limit", () => {
  it.scoped.each(
    [
      ["except the last one used", 1, [1, 1, 2, 2, 1], [1, 2, 1]],
      ["the least recently used first", 2.5 * bytesOfOne(), [1, 2, 1, 3, 1, 2], [1, 2, 3, 2]]
    ] as const
  )("are dropped, %s", ([, maxBytes, searched, built]) =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched({ maxBytes })
      yield* Effect.forEach(searched, search)
      expect(world.built).toEqual(built.map(guild))
    }))

  it.scoped("are dropped when they are unused for too long", () =>
    Effect.gen(function*() {
      const { search, world } = yield* searchedOnce({ maxIdle: "8 hours" })
      yield* search(2)
      yield* TestClock.adjust("7 hours")
      expect(yield* search(1)).toEqual(EVERYBODY)
      yield* TestClock.adjust("7 hours")
      expect(yield* search(1)).toEqual(EVERYBODY)
      expect(yield* search(2)).toEqual(EVERYBODY)
      expect(world.built).toEqual([guild(1), guild(2), guild(2)])
    }))

  it.scoped("stay while they just fit, also if they change often", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched({ maxBytes: 2.9 * bytesOfOne() })
      yield* Effect.forEach([1, 2], search)
      for (const username of ["grace", "alan", "grace"]) {
        world.save(member(guild(1), 2, { username }))
        yield* search(1)
        yield* letAllRun
      }
      yield* Effect.forEach([1, 2], search)
      expect(world.built).toEqual([guild(1), guild(2)])
    }))

  it.scoped("are dropped when another one grows", () =>
    Effect.gen(function*() {
      const { search, world } = yield* makeSearched({ maxBytes: 2.9 * bytesOfOne() })
      yield* Effect.forEach([1, 2], search)
      for (const number of Arrays.range(1, 200)) {
        world.save(member(guild(2), number, { username: `ada${number}`.repeat(6) }))
      }
      yield* search(2)
      yield* letAllRun
      yield* search(1)
      expect(world.built).toEqual([guild(1), guild(2), guild(1)])
    }))
})
