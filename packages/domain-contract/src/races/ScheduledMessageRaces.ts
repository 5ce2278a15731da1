import { isDeleted } from "@community-messaging/domain/account/User"
import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { type Schedule, ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Either, Option, type Scope } from "effect"
import { testsOnTwoServers } from "../TestsOver.ts"
import {
  allEvents,
  armPending,
  contents,
  deleteDue,
  dispatch,
  inUtc,
  keep,
  removeExpired,
  saying,
  type Scene,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  storedUser
} from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import { START, type TwoConnections } from "../world/World.ts"
import { allSideBySide, failures, oneByOneWhile, rounds, sideBySide, successes, times } from "./SideBySide.ts"

const edit = ({ authorId, id }: ScheduledMessage, changes: Partial<Schedule>) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.edit(authorId, id, changes))

const cancel = ({ authorId, id }: ScheduledMessage) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))

/** The stored messages, as the second server sees them. */
const storedAll = (messages: ReadonlyArray<ScheduledMessage>) => Effect.forEach(messages, ({ id }) => stored(id))

/** An author whose account is deleted the next day. */
const leaving = Effect.tap(scene(), ({ author }) => scheduleDeletion(author.id, 1))

/** A message of an author for the next day, scheduled two days before. */
const keepForTomorrow = (at: Scene, changes: Partial<ScheduledMessage> = {}) =>
  keep(at, { scheduledAt: startPlus("1 day"), ...inUtc(startPlus("1 day")), ...changes })

/** The guarantees for scheduled messages while other units run concurrently. */
export const scheduledMessageRaces = <E>(connections: TwoConnections<E, Scope.Scope>) =>
  describe("scheduled messages", () => {
    const it = testsOnTwoServers(connections)

    it("an author who schedules 120 messages at the same time has 100", function*(servers) {
      const at = yield* Effect.provide(scene(), servers.first)
      const outcomes = yield* times(servers, 120, schedule(at))
      expect([successes(outcomes).length, ...new Set(failures(outcomes))]).toEqual([100, "TooManyScheduledMessages"])
      const undelivered = Effect.flatMap(ScheduledMessages, (messages) => messages.list(at.author.id, []))
      expect((yield* Effect.provide(undelivered, servers.second)).length).toBe(100)
    })

    it("a new text and a new time of a message are both stored", function*(servers) {
      const messages = yield* rounds(servers, () => Effect.flatMap(scene(), schedule))
      const later = startPlus("2 hours")
      yield* sideBySide(
        servers,
        messages.flatMap((message) => [edit(message, { payload: saying("Tea") }), edit(message, inUtc(later))])
      )
      const after = yield* Effect.provide(storedAll(messages), servers.second)
      expect(after.map(({ payload, scheduledAt }) => [Option.getOrNull(payload.content), scheduledAt]))
        .toEqual(messages.map(() => ["Tea", later]))
    })

    it("a due message that its author cancels is posted or cancelled, never both", function*(servers) {
      const at = yield* Effect.provide(scene(), servers.first)
      const messages = yield* rounds(servers, (round) => keepForTomorrow(at, { payload: saying(`${round}`) }))
      yield* Time.adjust("1 day")
      const outcomes = yield* oneByOneWhile(servers, [dispatch(), dispatch()], messages.map(cancel))
      const isCancelled = outcomes.map(Either.isRight)
      const after = yield* Effect.provide(storedAll(messages), servers.second)
      expect(after.map(({ status }) => status)).toEqual(isCancelled.map((yes) => yes ? "cancelled" : "sent"))
      const found = yield* Effect.provide(contents(at.channel.id), servers.second)
      const sent = after.filter(({ status }) => status === "sent")
      expect(found.toSorted()).toEqual(sent.map(({ payload }) => Option.getOrThrow(payload.content)).toSorted())
    })

    it("a due message that its author moves is posted now or moved, with the stored text", function*(servers) {
      const at = yield* Effect.provide(scene(), servers.first)
      const messages = yield* rounds(
        servers,
        (round) => keepForTomorrow(at, { payload: saying(`before ${round}`) })
      )
      yield* Time.adjust("1 day")
      const putOff = messages.map((message, round) =>
        edit(message, { payload: saying(`after ${round}`), ...inUtc(startPlus("2 days")) })
      )
      const outcomes = yield* oneByOneWhile(servers, [dispatch(), dispatch()], putOff)
      const after = yield* Effect.provide(storedAll(messages), servers.second)
      const sent = after.filter(({ status }) => status === "sent")
      const found = yield* Effect.provide(contents(at.channel.id), servers.second)
      expect(found.toSorted()).toEqual(sent.map(({ payload }) => Option.getOrThrow(payload.content)).toSorted())
      expect(found.filter((content) => content.startsWith("after"))).toEqual([])
      // If the edit succeeded, the message is moved.
      expect(after.map(({ status }) => status))
        .toEqual(outcomes.map((outcome) => Either.isRight(outcome) ? "scheduled" : "sent"))
    })

    it("a pending message that its author cancels is never armed afterwards", function*(servers) {
      const at = yield* Effect.provide(scene(), servers.first)
      const messages = yield* rounds(servers, () => keepForTomorrow(at, { status: "pending" }))
      const outcomes = yield* allSideBySide(servers, [armPending(), armPending(), ...messages.map(cancel)])
      // Pending messages and armed ones can be cancelled, so cancelling always succeeds.
      expect(outcomes.filter(Either.isLeft)).toEqual([])
      const after = yield* Effect.provide(storedAll(messages), servers.second)
      expect(after.map(({ status }) => status)).toEqual(messages.map(() => "cancelled"))
    })

    it(
      "a deleted account has no undelivered message, also if its author changes some in the meantime",
      function*(servers) {
        const authors = yield* rounds(servers, () =>
          Effect.gen(function*() {
            const at = yield* leaving
            const later = { scheduledAt: startPlus("3 days"), ...inUtc(startPlus("3 days")) }
            return {
              at,
              edited: yield* keep(at, later),
              pending: yield* keep(at, { ...later, status: "pending" })
            }
          }))
        yield* Time.adjust("1 day")
        const deletions = sideBySide(servers, [deleteDue(), deleteDue()])
        const others = allSideBySide(servers, [
          armPending(),
          ...authors.flatMap(({ at, edited }) => [
            edit(edited, { payload: saying("Tea") }),
            schedule(at, inUtc(startPlus("2 days")))
          ])
        ])
        const [deleted] = yield* Effect.all([deletions, others], { concurrency: "unbounded" })
        // No deletion failed, so none must be tried again.
        expect(successes(deleted).map(({ failed }) => failed)).toEqual([0, 0])
        yield* Effect.provide(deleteDue(), servers.second)
        yield* Effect.gen(function*() {
          const users = yield* Effect.forEach(authors, ({ at }) => storedUser(at.author.id))
          expect(users.filter((user) => !isDeleted(user))).toEqual([])
          const left = yield* Effect.forEach(
            authors,
            ({ at }) => Effect.flatMap(ScheduledMessages, (messages) => messages.list(at.author.id, []))
          )
          expect(left.flat()).toEqual([])
        }).pipe(Effect.provide(servers.second))
      }
    )

    it(
      "a due message of an account that is deleted is posted or cancelled, and no deletion fails",
      function*(servers) {
        const made = yield* rounds(servers, (round) =>
          Effect.gen(function*() {
            const at = yield* leaving
            return { at, message: yield* keepForTomorrow(at, { payload: saying(`${round}`) }) }
          }))
        yield* Time.adjust("1 day")
        const [deleted, dispatched] = yield* Effect.all([
          sideBySide(servers, [deleteDue(), deleteDue()]),
          sideBySide(servers, [dispatch(), dispatch()])
        ], { concurrency: "unbounded" })
        expect([...successes(deleted), ...successes(dispatched)].map(({ failed }) => failed)).toEqual([0, 0, 0, 0])
        yield* Effect.gen(function*() {
          const after = yield* storedAll(made.map(({ message }) => message))
          const found = yield* Effect.forEach(made, ({ at }) => contents(at.channel.id))
          expect(found.map(({ length }) => length > 0 ? "sent" : "cancelled")).toEqual(
            after.map(({ status }) => status)
          )
          // A message is posted before its author leaves.
          const left = new Set<string>()
          for (const event of yield* allEvents) {
            if (event._tag === "member.left") left.add(event.userId)
            if (event._tag === "scheduled_message.updated" && event.status === "sent") {
              expect(left.has(event.authorId)).toBe(false)
            }
          }
        }).pipe(Effect.provide(servers.second))
      }
    )

    it("several servers that remove ended messages remove all of them, each once", function*(servers) {
      const at = yield* Effect.provide(scene(), servers.first)
      yield* Effect.provide(
        Effect.forEach(Arrays.range(1, 60), () => keep(at, { status: "sent", endedAt: Option.some(START) })),
        servers.first
      )
      yield* Time.adjust("40 days")
      const removed = successes(yield* times(servers, 8, removeExpired(10)))
      const rest = yield* Effect.provide(removeExpired(1000), servers.second)
      expect([removed.length, removed.reduce((all, count) => all + count, rest)]).toEqual([8, 60])
    })
  })
