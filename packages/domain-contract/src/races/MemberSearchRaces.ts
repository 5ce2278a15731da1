import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, type Scope } from "effect"
import * as Samples from "../Samples.ts"
import * as Saved from "../Saved.ts"
import { searchMembers } from "../SearchSamples.ts"
import { testsOnTwoServers } from "../TestsOver.ts"
import * as Time from "../world/Time.ts"
import type { TwoConnections, TwoServers } from "../world/World.ts"

const WRITERS = 6

/** How often each writer changes its members. */
const STEPS = 25

const search = (guildId: GuildId, text = "") =>
  searchMembers(guildId, MemberQuery.make({ text, limit: 100, sortOrder: "asc" }))

/** Names of the step: the writer starts at `w1 a 1`. */
const nameOf = (writer: number, member: "a" | "b", step: number) => `w${writer} ${member} ${step}`

interface Writer {
  readonly number: number
  readonly members: readonly [User, User]
  /** The last step that was begun, and the last one that was committed. */
  begun: number
  committed: number
}

/**
 * At each step a writer renames both of its members in one unit of work; at every other step `b` leaves the guild and
 * returns.
 */
const write = (guildId: GuildId, writer: Writer) => {
  const [a, b] = writer.members
  return Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    const users = yield* UserRepository
    const memberships = yield* MembershipRepository
    for (const step of Arrays.range(1, STEPS)) {
      writer.begun = step
      yield* atomically(Effect.gen(function*() {
        yield* users.save({ ...a, username: nameOf(writer.number, "a", step) })
        yield* users.save({ ...b, username: nameOf(writer.number, "b", step) })
        yield* step % 2 === 1
          ? memberships.remove(guildId, b.id)
          : memberships.save(Samples.membership({ guildId, userId: b.id }))
      }))
      writer.committed = step
    }
  })
}

/** Checks that the writer's members are as after one step: the last one that was committed, or a later one. */
const check = (names: ReadonlyArray<string>, writer: Writer, from: number) => {
  const own = names.filter((name) => name.startsWith(`w${writer.number} `))
  const step = Number(own.find((name) => name.includes(" a "))?.split(" ")[2])
  const expected = step % 2 === 1 ? ["a"] : ["a", "b"] as const
  expect(own.toSorted()).toEqual(expected.map((member) => nameOf(writer.number, member === "a" ? "a" : "b", step)))
  expect(step).toBeGreaterThanOrEqual(from)
  expect(step).toBeLessThanOrEqual(writer.begun)
}

const searchAndCheck = (guildId: GuildId, writers: ReadonlyArray<Writer>) =>
  Effect.gen(function*() {
    const from = writers.map(({ committed }) => committed)
    const page = yield* search(guildId)
    if (page.indexing) return 0
    const names = page.members.map(({ username }) => username)
    expect(page.total).toBe(names.length)
    writers.forEach((writer, index) => check(names, writer, from[index] ?? 0))
    return 1
  })

/**
 * Searches on both servers after each commit until the writers are done. Returns the number of searches. Between two searches,
 * the event loop runs: otherwise, a storage that works synchronously would block the writers.
 */
const searchUntilDone = ({ first, second }: TwoServers, guildId: GuildId, writers: ReadonlyArray<Writer>) => {
  const countCommits = () => writers.reduce((all, { committed }) => all + committed, 0)
  return Effect.forEach([first, second, first, second], (server) =>
    Effect.iterate({ answered: 0, commits: -1 }, {
      while: () => countCommits() < WRITERS * STEPS,
      body: ({ answered, commits }) => {
        const found = countCommits()
        if (found === commits) return Effect.as(Time.realTurn, { answered, commits })
        const searched = Effect.provide(searchAndCheck(guildId, writers), server)
        return Effect.map(searched, (one) => ({ answered: answered + one, commits: found }))
      }
    }), { concurrency: "unbounded" })
}

const makeWriter = (guildId: GuildId) => (number: number) =>
  Effect.gen(function*() {
    const members = [
      yield* Saved.user({ username: nameOf(number, "a", 0) }),
      yield* Saved.user({ username: nameOf(number, "b", 0) })
    ] as const
    yield* Effect.forEach(members, ({ id }) => Saved.membership({ guildId, userId: id }))
    const writer: Writer = { number, members, begun: 0, committed: 0 }
    return writer
  })

/** The guarantees of member search while members join, leave and are renamed concurrently. */
export const memberSearchRaces = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("member search", () => {
    const it = testsOnTwoServers(connections)

    it("a search finds all that was committed before it, and each unit of work as a whole", function*(servers) {
      const { id: guildId } = yield* Effect.provide(Saved.guild(), servers.first)
      const writers = yield* Effect.provide(
        Effect.forEach(Arrays.range(1, WRITERS), makeWriter(guildId)),
        servers.first
      )
      const [, answered] = yield* Effect.all([
        Effect.forEach(writers, (writer, index) =>
          Effect.provide(write(guildId, writer), index % 2 === 0 ? servers.first : servers.second), {
          concurrency: "unbounded"
        }),
        searchUntilDone(servers, guildId, writers)
      ], { concurrency: "unbounded" })
      // Changes of other servers may keep an index busy, but at least one search must have a result.
      expect(answered.reduce((all, each) =>
        all + each.answered, 0)).toBeGreaterThan(0)
      const last = yield* Effect.forEach([servers.first, servers.second], (server) =>
        Effect.provide(searchAndCheck(guildId, writers), server))
      expect(last).toEqual([1, 1])
    })

    it("a member who joins while being renamed is found by the new name", function*(servers) {
      const { id: guildId } = yield* Effect.provide(Saved.guild(), servers.first)
      const users = yield* Effect.provide(
        Effect.forEach(Arrays.range(1, 40), () =>
          Saved.user({ username: "before" })),
        servers.first
      )
      // Both servers have an index now, and apply all later changes to it.
      yield* Effect.forEach([servers.first, servers.second], (server) =>
        Effect.provide(search(guildId), server))
      const rename = (user: User) =>
        Effect.flatMap(UnitOfWork, ({ atomically }) =>
          atomically(Effect.flatMap(UserRepository, ({ save }) =>
            save({ ...user, username: "after" }))))
      const join = ({ id }: User) =>
        Effect.flatMap(UnitOfWork, ({ atomically }) =>
          atomically(Saved.membership({ guildId, userId: id })))
      yield* Effect.forEach(users, (user) =>
        Effect.all([
          Effect.provide(rename(user), servers.first),
          Effect.provide(join(user), servers.second),
          Effect.provide(search(guildId), servers.first),
          Effect.provide(search(guildId), servers.second)
        ], { concurrency: "unbounded" }), { concurrency: 4 })
      const found = yield* Effect.forEach([servers.first, servers.second], (server) =>
        Effect.provide(search(guildId), server))
      expect(found.map(({ members, total }) => [
        total,
        ...new Set(members.map(({ username }) =>
          username
        ))
      ]))
        .toEqual([[40, "after"], [40, "after"]])
    })
  })
