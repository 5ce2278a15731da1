import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { RETENTION } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, type Context, Duration, Effect, Option, Random, type Scope } from "effect"
import * as Faults from "./Faults.ts"
import { replay } from "./Replay.ts"
import { allEvents, contents, deleteDue, dispatch, removeExpired, scene, storedUser } from "./Scene.ts"
import * as Time from "./Time.ts"
import { type Notes, noteWork, now, traffic } from "./Traffic.ts"
import { type TwoServers, twoServers } from "./World.ts"

/** This law is much work. In milliseconds. */
const LONG = 60_000

/** The longest that anything waits for that is asked for: messages ten days at the most, deletions five. */
const UNTIL_ALL_IS_DUE = "15 days"

/** How long a claim holds, and longer than a first or second further attempt waits. */
const UNTIL_CLAIMS_END = "30 seconds"

/** Something goes wrong with one server, as chance has it, so that the other has to take over. */
const trouble = Effect.gen(function*() {
  const grief = Faults.GRIEFS[yield* Random.nextIntBetween(0, 3)] ?? "fails"
  const step = yield* Random.nextIntBetween(1, 30)
  const stricken = Faults.stricken(grief, (_, n) => n === step)
  if (yield* Random.nextBoolean) {
    yield* stricken(dispatch())
  } else {
    yield* dispatch()
    yield* stricken(deleteDue())
  }
  yield* Time.adjust(UNTIL_CLAIMS_END)
})

/** A server does what is due, messages first: an author whose account is due as well has had the last word. */
const work = (notes: Notes) =>
  Effect.gen(function*() {
    yield* dispatch()
    yield* deleteDue()
    yield* removeExpired()
    noteWork(notes, yield* now)
  })

/** Thirty days of traffic on two servers by turns, some of it in trouble, and then as long as it takes. */
const month = (servers: TwoServers, notes: Notes, channel: Parameters<typeof traffic>[0]) =>
  Effect.gen(function*() {
    const does = traffic(channel, notes)
    const often = [
      ...Arrays.replicate(does.schedule, 12),
      ...Arrays.replicate(does.edit, 4),
      ...Arrays.replicate(does.cancel, 2),
      does.arrive,
      does.scheduleDeletion,
      does.cancelDeletion
    ]
    const beginning = yield* now
    const end = beginning + Duration.toMillis("30 days")
    yield* Effect.replicateEffect(Effect.provide(does.arrive, servers.first), 10)
    yield* Effect.provide(does.schedule, servers.first)
    for (let step = 0; (yield* now) < end; step += 1) {
      const [one, other] = step % 2 === 0 ? [servers.first, servers.second] : [servers.second, servers.first]
      const times = yield* Random.nextIntBetween(0, 4)
      for (let time = 0; time < times; time += 1) {
        const act = often[yield* Random.nextIntBetween(0, often.length)] ?? does.schedule
        yield* Effect.provide(act, one)
      }
      yield* Time.adjust(Duration.millis(yield* Random.nextIntBetween(1, Duration.toMillis("8 hours"))))
      if ((yield* Random.next) < 0.3) yield* Effect.provide(trouble, one)
      yield* Effect.provide(work(notes), other)
    }
    yield* Time.adjust(UNTIL_ALL_IS_DUE)
    yield* Effect.provide(work(notes), servers.first)
  })

/** What holds after a month of mixed traffic. The effect gives the two ways to the one storage, empty. */
export const monthLaws = <E>(
  ways: Effect.Effect<readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>], E, Scope.Scope>
) =>
  describe("a month of traffic", () => {
    it.scoped("leaves every promise kept exactly once, nothing undone, and events that tell all of it", () =>
      Effect.gen(function*() {
        const servers = yield* twoServers(ways)
        const { channel } = yield* Effect.provide(scene(), servers.first)
        const notes: Notes = { accounts: [], messages: [] }
        yield* month(servers, notes, channel)

        yield* Effect.gen(function*() {
          // Nothing that follows would tell much if little had happened.
          const ends = (status: string) =>
            notes.messages.filter(({ end }) => end?.status === status)
          expect(ends("sent").length).toBeGreaterThan(50)
          expect(ends("cancelled").length).toBeGreaterThan(10)
          const deleted = notes.accounts.filter(({ deletedAt }) => deletedAt !== undefined).map(({ id }) => id)
          expect(deleted.length).toBeGreaterThan(3)

          // Every message was posted exactly once if it had to be, and never otherwise.
          const expected = notes.messages.flatMap(({ end }, number) => end?.status === "sent" ? [`${number}`] : [])
          expect((yield* contents(channel.id)).toSorted()).toEqual(expected.toSorted())

          // None is left behind.
          const messages = yield* ScheduledMessageRepository
          expect(yield* messages.nextDueAt).toEqual(Option.none())
          expect(yield* (yield* UserRepository).nextDeletionAt).toEqual(Option.none())

          // What is stored is what was asked for; what ended more than 31 days ago is not stored any more.
          const removedUntil = (yield* now) - Duration.toMillis(RETENTION)
          const left = notes.messages.filter(({ end }) => end !== undefined && end.at >= removedUntil)
          expect(left.length).toBeLessThan(notes.messages.length)
          const stored = yield* messages.list({ after: Option.none(), limit: 10_000 })
          expect(new Map(stored.map(({ id, status }) => [id, status])))
            .toEqual(new Map(left.map(({ end, id }) => [id, end?.status])))
          const accounts = yield* Effect.forEach(notes.accounts, ({ id }) => storedUser(id))
          expect(accounts.flatMap(({ deletedAt, id }) => Option.isSome(deletedAt) ? [id] : [])).toEqual(deleted)
          expect(accounts.filter(({ pendingDeletionAt }) => Option.isSome(pendingDeletionAt)).map(({ id }) => id))
            .toEqual(deleted)

          // Who has read nothing but the events knows all of it.
          const known = replay(yield* allEvents)
          expect(known.statuses).toEqual(new Map(notes.messages.map(({ end, id }) => [id, end?.status])))
          expect(known.posted.toSorted()).toEqual(expected.toSorted())
          expect([...known.pending]).toEqual([])
          expect(known.deleted.toSorted()).toEqual(deleted.toSorted())
        }).pipe(Effect.provide(servers.second))
      }).pipe(Effect.withRandom(Random.make("a month of traffic"))), LONG)
  })
