import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { DueWork } from "@community-messaging/domain/DueWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, type Context, Effect, Either, Option, type Scope, TestClock } from "effect"
import * as Saved from "../Saved.ts"
import {
  allEvents,
  contents,
  deleteDue,
  dispatch,
  inUtc,
  join,
  saying,
  type Scene,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored
} from "./Scene.ts"
import { type TwoServers, twoServers, type UseCases } from "./World.ts"

/** Each of these laws is much work. In milliseconds. */
const LONG = 60_000

/** Fibers of each server that look for due work at a time. */
const FIBERS = 8

/** Handles what is due, a few at a time, until nothing is left to claim; tells how many were handled. */
const drain = <E, R>(work: (limit: number) => Effect.Effect<DueWork, E, R>) =>
  Effect.iterate({ done: 0, claimed: 1 }, {
    while: ({ claimed }) => claimed > 0,
    body: ({ done }) => Effect.map(work(7), (batch) => ({ done: done + batch.done, claimed: batch.claimed }))
  })

/** Runs the effect on both servers, many times at a time on each. */
const onBoth = <A, E>({ first, second }: TwoServers, effect: Effect.Effect<A, E, UseCases | StoragePorts>) =>
  Effect.all(
    Arrays.flatMap([first, second], (server) => Arrays.replicate(Effect.provide(effect, server), FIBERS)),
    { concurrency: "unbounded" }
  )

/** Authors in one guild with one channel, each with as many messages for that moment as are given. */
const crowd = (authors: number, messages: number) =>
  Effect.gen(function*() {
    const { channel } = yield* scene()
    return yield* Effect.forEach(Arrays.range(1, authors), (author) =>
      Effect.gen(function*() {
        const user = yield* Saved.user()
        yield* join(channel.guildId, user.id)
        const at: Scene = { author: user, channel }
        const scheduled = yield* Effect.forEach(Arrays.range(1, messages), (number) =>
          schedule(at, { ...inUtc(startPlus("1 day")), payload: saying(`${author}.${number}`) }))
        return { at, scheduled }
      }))
  })

/**
 * That two servers which share a storage do together what one would do alone. The effect gives the two ways to the one
 * storage, empty: for a storage that only one process can have, the same way twice.
 */
export const twoServersLaws = <E>(
  ways: Effect.Effect<readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>], E, Scope.Scope>
) =>
  describe("two servers at a time", () => {
    it.scoped("post 300 due messages, each exactly once", () =>
      Effect.gen(function*() {
        const servers = yield* twoServers(ways)
        const authors = yield* Effect.provide(crowd(3, 100), servers.first)
        yield* TestClock.adjust("1 day")
        const drained = yield* onBoth(servers, drain(dispatch))
        expect(drained.reduce((all, { done }) => all + done, 0)).toBe(300)

        const { found, told } = yield* Effect.provide(
          Effect.gen(function*() {
            const channel = authors[0]?.at.channel
            return {
              found: channel === undefined ? [] : yield* contents(channel.id),
              told: yield* allEvents
            }
          }),
          servers.second
        )
        const expected = authors.flatMap(({ scheduled }) => scheduled.map(({ payload }) => Option.getOrThrow(payload.content)))
        expect(found.toSorted()).toEqual(expected.toSorted())
        expect(told.filter(({ _tag }) => _tag === "message.created").length).toBe(300)
        const sent = told.flatMap((event) =>
          event._tag === "scheduled_message.updated" && event.status === "sent" ? [event.scheduledMessageId] : []
        )
        expect(sent.toSorted()).toEqual(authors.flatMap(({ scheduled }) => scheduled.map(({ id }) => id)).toSorted())
      }), LONG)

    it.scoped("delete 50 due accounts, each exactly once", () =>
      Effect.gen(function*() {
        const servers = yield* twoServers(ways)
        const authors = yield* Effect.provide(
          Effect.gen(function*() {
            const made = yield* crowd(50, 2)
            yield* Effect.forEach(made, ({ at }) => scheduleDeletion(at.author.id, 1))
            return made
          }),
          servers.first
        )
        yield* TestClock.adjust("1 day")
        const drained = yield* onBoth(servers, drain(deleteDue))
        expect(drained.reduce((all, { done }) => all + done, 0)).toBe(50)
        const told = yield* Effect.provide(allEvents, servers.second)
        const ids = authors.map(({ at }) => at.author.id).toSorted()
        const of = (type: "user.deleted" | "member.left") =>
          told.flatMap((event) => event._tag === type ? [event.userId] : []).toSorted()
        expect(of("user.deleted")).toEqual(ids)
        expect(of("member.left")).toEqual(ids)
        const cancelled = told.flatMap((event) =>
          event._tag === "scheduled_message.updated" && event.status === "cancelled" ? [event.scheduledMessageId] : []
        )
        expect(cancelled.toSorted()).toEqual(authors.flatMap(({ scheduled }) => scheduled.map(({ id }) => id)).toSorted())
      }), LONG)

    it.scoped("post a message or cancel it with its author's account, never both, where both are due", () =>
      Effect.gen(function*() {
        const servers = yield* twoServers(ways)
        const authors = yield* Effect.provide(
          Effect.gen(function*() {
            const made = yield* crowd(20, 2)
            yield* Effect.forEach(made, ({ at }) => scheduleDeletion(at.author.id, 1))
            return made
          }),
          servers.first
        )
        yield* TestClock.adjust("1 day")
        yield* onBoth(servers, Effect.all([drain(dispatch), drain(deleteDue)], { concurrency: "unbounded" }))

        yield* Effect.gen(function*() {
          const ends = yield* Effect.forEach(authors.flatMap(({ scheduled }) => scheduled), ({ id }) => stored(id))
          expect(ends.filter(({ status }) => status !== "sent" && status !== "cancelled")).toEqual([])
          const sent = ends.flatMap(({ payload, status }) =>
            status === "sent" ? [Option.getOrThrow(payload.content)] : []
          )
          const channel = authors[0]?.at.channel
          expect(channel === undefined ? [] : (yield* contents(channel.id)).toSorted()).toEqual(sent.toSorted())
          const left = yield* Effect.forEach(authors, ({ at }) => stillThere(at.author.id))
          expect(left.filter((there) => there)).toEqual([])
        }).pipe(Effect.provide(servers.second))
      }), LONG)

    it.scoped("let an author schedule no more than a hundred messages", () =>
      Effect.gen(function*() {
        const servers = yield* twoServers(ways)
        const at = yield* Effect.provide(scene(), servers.first)
        const outcomes = yield* onBoth(servers, Effect.replicateEffect(Effect.either(schedule(at)), 9))
        expect(outcomes.flat().filter(Either.isRight).length).toBe(100)
      }), LONG)
  })

/** Whether the account has not been deleted. */
const stillThere = (id: UserId) =>
  Effect.map(
    Effect.flatMap(UserRepository, (users) => users.find(id)),
    Option.exists(({ deletedAt }) => Option.isNone(deletedAt))
  )
