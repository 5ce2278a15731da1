import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Fiber, type Layer } from "effect"
import { atomically } from "./Atomically.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"
import { searchMembers } from "./SearchSamples.ts"
import { testsOver } from "./TestsOver.ts"
import * as Time from "./world/Time.ts"

/** The settings of a storage that searches through indexes; missing settings have their defaults. */
export interface IndexingSettings {
  /** The largest guild that is indexed while a search waits. */
  readonly membersAtOnce?: number
  /** The memory of all indexes together, without the one that is searched. */
  readonly maxBytes?: number
}

const AT_ONCE = 5

/** A guild with `size` members, whose names begin with `name` and who join one after another by default. */
const guildOf = (size: number, name = "ada", joinedAt = (number: number) => number) =>
  atomically(Effect.gen(function*() {
    const { id: guildId } = yield* Saved.guild()
    const memberships = yield* MembershipRepository
    yield* Effect.forEach(Arrays.range(1, size), (number) =>
      Effect.gen(function*() {
        const { id: userId } = yield* Saved.user({ username: `${name}${number}` })
        yield* memberships.save(Samples.membership({ guildId, userId, joinedAt: joinedAt(number) }))
      }), { discard: true })
    return guildId
  }))

const namesOf = (size: number, name = "ada") => Arrays.range(1, size).map((number) => `${name}${number}`)

const search = (guildId: GuildId) =>
  Effect.map(
    searchMembers(guildId, MemberQuery.make({ sortOrder: "asc", limit: 100 })),
    ({ indexing, members, total }) => ({ names: members.map(({ username }) => username), total, indexing })
  )

/** The result of a search, after the index is built. */
const answerOf = (guildId: GuildId) =>
  Effect.repeat(Effect.zipLeft(search(guildId), Time.realTurn), { while: ({ indexing }) => indexing })

const exactly = (names: ReadonlyArray<string>) => ({ names, total: names.length, indexing: false })

/** Lets an account with this name join after all others. */
const join = (guildId: GuildId, username: string) =>
  Effect.gen(function*() {
    const { id: userId } = yield* Saved.user({ username })
    yield* (yield* MembershipRepository).save(Samples.membership({ guildId, userId, joinedAt: 2_000_000_000 }))
  })

/** The contract of a storage that searches through indexes, for building and dropping them. */
export const memberIndexingContract = <E>(storage: (settings: IndexingSettings) => Layer.Layer<StoragePorts, E>) => {
  describe("MemberDirectory, building an index", () => {
    const it = testsOver(storage({ membersAtOnce: AT_ONCE }))

    it("a guild that is small enough is searched completely at its first search", function*() {
      expect(yield* search(yield* guildOf(AT_ONCE))).toEqual(exactly(namesOf(AT_ONCE)))
    })

    it("a larger guild is being indexed at its first search, which finds no member", function*() {
      expect(yield* search(yield* guildOf(AT_ONCE + 1))).toEqual({ names: [], total: 0, indexing: true })
    })

    it("a larger guild is searched exactly later", function*() {
      expect(yield* answerOf(yield* guildOf(3 * AT_ONCE))).toEqual(exactly(namesOf(3 * AT_ONCE)))
    })

    it("members who joined in the same second are all found, also if a batch of members ends between them", function*() {
      expect((yield* answerOf(yield* guildOf(301, "ada", () => 1))).total).toBe(301)
    })

    it("commits during the building of an index are in it when it is ready", function*() {
      const guildId = yield* guildOf(AT_ONCE + 1)
      yield* search(guildId)
      yield* join(guildId, "newcomer")
      expect(yield* answerOf(guildId)).toEqual(exactly([...namesOf(AT_ONCE + 1), "newcomer"]))
    })

    it("changes that are rolled back during the building of an index are never found", function*() {
      const guildId = yield* guildOf(AT_ONCE + 1)
      const found = yield* Effect.flip(atomically(Effect.gen(function*() {
        yield* join(guildId, "newcomer")
        return yield* Effect.flip(Effect.zipRight(search(guildId), answerOf(guildId)))
      })))
      expect([found, yield* answerOf(guildId)])
        .toEqual([exactly(namesOf(AT_ONCE + 1)), exactly(namesOf(AT_ONCE + 1))])
    })

    it("a guild that grows past the limit by changes is still searched exactly", function*() {
      const guildId = yield* guildOf(AT_ONCE)
      yield* search(guildId)
      const more = Arrays.range(1, 4 * AT_ONCE).map((number) => `more${number}`)
      yield* atomically(Effect.forEach(more, (name) => join(guildId, name)))
      const { names, total } = yield* answerOf(guildId)
      expect([names.toSorted(), total]).toEqual([[...namesOf(AT_ONCE), ...more].toSorted(), 5 * AT_ONCE])
    })

    it("concurrent first searches all get results", function*() {
      const guildIds = yield* Effect.all([guildOf(AT_ONCE), guildOf(2), guildOf(1)])
      const found = yield* Effect.forEach(
        Arrays.replicate(guildIds, 4).flat(),
        search,
        { concurrency: "unbounded" }
      )
      expect(found.map(({ names }) => names.length)).toEqual(Arrays.replicate([AT_ONCE, 2, 1], 4).flat())
    })

    it("a first search that is interrupted, at any time, does not affect others that wait", function*() {
      const found = yield* Effect.forEach(Arrays.range(0, 30), (moment) =>
        Effect.gen(function*() {
          const guildId = yield* guildOf(2)
          const first = yield* Effect.fork(search(guildId))
          const second = yield* Effect.fork(search(guildId))
          yield* Effect.repeatN(Effect.yieldNow(), moment)
          yield* Fiber.interrupt(first)
          return [yield* Fiber.join(second), yield* search(guildId)]
        }))
      expect(found.flat()).toEqual(Arrays.replicate(exactly(namesOf(2)), 62))
    })
  })

  describe("MemberDirectory, with memory for only one index", () => {
    const it = testsOver(storage({ maxBytes: 1 }))

    it("guilds that are searched in turn have exact results, with all changes", function*() {
      const names = ["ada", "grace", "alan"]
      const guildIds = yield* Effect.forEach(names, (name) => guildOf(3, name))
      yield* Effect.forEach(guildIds, search)
      yield* Effect.forEach(guildIds, (guildId) => join(guildId, "newcomer"))
      expect(yield* Effect.forEach([...guildIds, ...guildIds], search))
        .toEqual([...names, ...names].map((name) => exactly([...namesOf(3, name), "newcomer"])))
    })

    it("an account's new name is found in all of its guilds", function*() {
      const user = yield* Saved.user({ username: "before" })
      const guildIds = yield* Effect.forEach([1, 2, 3], () => guildOf(1))
      const memberships = yield* MembershipRepository
      yield* Effect.forEach(guildIds, (guildId) => memberships.save(Samples.membership({ guildId, userId: user.id })))
      yield* Effect.forEach(guildIds, search)
      yield* (yield* UserRepository).save({ ...user, username: "after" })
      expect(yield* Effect.forEach(guildIds, search))
        .toEqual(Arrays.replicate(exactly(["ada1", "after"]), 3))
    })

    it("concurrent searches of several guilds have exact results while members join", function*() {
      const guildIds = yield* Effect.forEach([1, 2, 3], () => guildOf(2))
      yield* Effect.forEach(
        Arrays.replicate(guildIds, 5).flat(),
        (guildId) => Effect.zipRight(join(guildId, "newcomer"), search(guildId)),
        { concurrency: "unbounded" }
      )
      expect((yield* Effect.forEach(guildIds, search)).map(({ total }) => total)).toEqual([7, 7, 7])
    })
  })
}
