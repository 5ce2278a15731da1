import type { UserId } from "@community-messaging/domain/account/User"
import { ScheduledMessage, ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  canFollow,
  ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { describe, expect, layer } from "@effect/vitest"
import { Array as Arrays, type DateTime, Effect, Either, Option } from "effect"
import { arbitrary, RUNS } from "./Arbitraries.ts"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plain = plainData(ScheduledMessage)

const STATUSES = ScheduledMessageStatus.literals

/** A stored message, of a new author unless one is given. */
const inserted = (changes: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const authorId = changes.authorId ?? (yield* Saved.user()).id
    const message = Samples.scheduledMessage({ ...changes, authorId })
    yield* (yield* ScheduledMessageRepository).insert(message)
    return message
  })

const find = (id: ScheduledMessageId) =>
  Effect.map(Effect.flatMap(ScheduledMessageRepository, (messages) => messages.find(id)), Option.map(plain))

/** Messages of one author with these ids and scheduled times. */
const atMoments = (authorId: UserId, moments: ReadonlyArray<readonly [id: string, at: DateTime.Utc]>) =>
  Effect.forEach(
    moments,
    ([id, scheduledAt]) => inserted({ id: ScheduledMessageId.make(id), authorId, scheduledAt, status: "pending" })
  )

const TIES: ReadonlyArray<readonly [id: string, at: DateTime.Utc]> = [
  ["100", NOON],
  ["7", noonPlus(1)],
  ["9", NOON],
  ["9223372036854775807", noonPlus(-1)],
  ["10", NOON]
]

/** The contract of `ScheduledMessageRepository`. Claims are in `DueMessageContract`. */
export const scheduledMessageRepositoryContract = portContract<ScheduledMessageRepository>(
  "ScheduledMessageRepository",
  ({ it, storage }) => {
    layer(storage)((it) => {
      it.effect.prop(
        "a changed message is replaced in every field",
        { before: arbitrary(ScheduledMessage), after: arbitrary(ScheduledMessage) },
        ({ after, before }) =>
          Effect.gen(function*() {
            const ids = { id: ScheduledMessageId.make(FreshIds.snowflake()), authorId: (yield* Saved.user()).id }
            yield* inserted({ ...before, ...ids, status: "pending" })
            const changed: ScheduledMessage = { ...after, ...ids, status: "pending" }
            yield* (yield* ScheduledMessageRepository).update(changed, "pending")
            expect(yield* find(ids.id)).toEqual(Option.some(plain(changed)))
          }),
        RUNS
      )
    })

    it("an author's undelivered messages are listed soonest first, ties by id as a number, and no others", function*() {
      const { id: authorId } = yield* Saved.user()
      yield* inserted()
      yield* atMoments(authorId, TIES)
      const inEach = yield* Effect.forEach(
        STATUSES,
        (status) => inserted({ authorId, status, scheduledAt: noonPlus(2) })
      )
      const found = (yield* (yield* ScheduledMessageRepository).undelivered(authorId)).map(({ id }) => id)
      expect(found.slice(0, TIES.length)).toEqual(["9223372036854775807", "9", "10", "100", "7"])
      expect(new Set(found.slice(TIES.length))).toEqual(
        new Set(inEach.flatMap(({ id, status }) => UNDELIVERED.includes(status) ? [id] : []))
      )
    })

    it("an author's messages by status are listed newest first, ties by id in that direction, at most the limit", function*() {
      const messages = yield* ScheduledMessageRepository
      const { id: authorId } = yield* Saved.user()
      yield* inserted({ status: "pending" })
      yield* atMoments(authorId, TIES)
      expect((yield* messages.inStatus({ authorId, statuses: ["pending"], limit: 4 })).map(({ id }) => id))
        .toEqual(["7", "100", "10", "9"])
    })

    it("an author's messages by status are those with one of the statuses", function*() {
      const messages = yield* ScheduledMessageRepository
      const { id: authorId } = yield* Saved.user()
      yield* Effect.forEach(STATUSES, (status) => inserted({ authorId, status }))
      const found = yield* messages.inStatus({ authorId, statuses: ["sent", "pending", "sent"], limit: 10 })
      expect(found.map(({ status }) => status).sort()).toEqual(["pending", "sent"])
      expect(yield* messages.inStatus({ authorId, statuses: [], limit: 10 })).toEqual([])
    })

    it("all messages are listed in the order of their ids by number, page by page", function*() {
      const messages = yield* ScheduledMessageRepository
      yield* Effect.forEach(SHUFFLED, (id) => inserted({ id: ScheduledMessageId.make(id) }))
      expect(yield* pages({ page: messages.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
    })

    describe("changes", () => {
      it.each(Arrays.cartesian(STATUSES, STATUSES).map(([from, to]) => ({ from, to })))(
        "a step from $from to $to is made exactly when the transition table, or staying undelivered, allows it",
        function*({ from, to }) {
          const message = yield* inserted({ status: from })
          const changed = { ...message, status: to, statusReason: Option.some("changed") }
          const outcome = yield* Effect.either((yield* ScheduledMessageRepository).update(changed, from))
          const allowed = canFollow(from, to) || (from === to && UNDELIVERED.includes(from))
          const told = Either.match(outcome, { onLeft: ({ _tag }) => _tag, onRight: () => "changed" })
          expect([told, yield* find(message.id)]).toEqual([
            allowed ? "changed" : "ScheduledMessageConflict",
            Option.some(plain(allowed ? changed : message))
          ])
        }
      )

      it("a change from another status than the stored one, or of no message, is a conflict and changes nothing", function*() {
        const messages = yield* ScheduledMessageRepository
        const message = yield* inserted({ status: "cancelled" })
        const conflicts = yield* Effect.forEach(
          Arrays.cartesian(STATUSES, STATUSES).filter(([expected]) => expected !== message.status),
          ([expected, status]) => Effect.flip(messages.update({ ...message, status }, expected))
        )
        expect(new Set(conflicts.map(({ _tag }) => _tag))).toEqual(new Set(["ScheduledMessageConflict"]))
        expect(conflicts.at(-1)).toMatchObject({ scheduledMessageId: message.id, expected: "failed" })
        expect(yield* find(message.id)).toEqual(Option.some(plain(message)))
        const missing = Samples.scheduledMessage({ authorId: message.authorId })
        expect((yield* Effect.flip(messages.update(missing, "scheduled")))._tag).toBe("ScheduledMessageConflict")
      })

      it("of several concurrent changes from one status, exactly one succeeds", function*() {
        const messages = yield* ScheduledMessageRepository
        const message = yield* inserted({ status: "scheduled" })
        const outcomes = yield* Effect.all(
          Arrays.replicate(Effect.either(messages.update({ ...message, status: "sent" }, "scheduled")), 10),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Either.isRight).length).toBe(1)
      })
    })

    describe("removal of ended messages", () => {
      it("messages that ended before the time are removed, at most the limit, and no others", function*() {
        const messages = yield* ScheduledMessageRepository
        const before = { status: "sent", endedAt: Option.some(noonPlus(-1)) } as const
        const ended = [yield* inserted(before), yield* inserted(before), yield* inserted(before)]
        const at = yield* inserted({ status: "sent", endedAt: Option.some(NOON) })
        const running = yield* inserted({ status: "scheduled", scheduledAt: noonPlus(-1) })
        expect(yield* Effect.replicateEffect(messages.removeEndedBefore(NOON, 2), 3)).toEqual([2, 1, 0])
        expect(yield* Effect.filter([...ended, at, running], ({ id }) => Effect.map(find(id), Option.isSome)))
          .toEqual([at, running])
      })

      it("a message that was edited after it had ended is not removed", function*() {
        const messages = yield* ScheduledMessageRepository
        const message = yield* inserted({ status: "failed", endedAt: Option.some(noonPlus(-1)) })
        yield* messages.update({ ...message, status: "pending", endedAt: Option.none() }, "failed")
        expect(yield* messages.removeEndedBefore(NOON, 10)).toBe(0)
      })
    })

    it("the pending messages, and no others, are listed by their ids", function*() {
      const messages = yield* ScheduledMessageRepository
      const { id: authorId } = yield* Saved.user()
      yield* Effect.forEach(
        ["10", "9223372036854775807", "9"],
        (id) => inserted({ id: ScheduledMessageId.make(id), authorId, status: "pending" })
      )
      yield* Effect.forEach(
        STATUSES.filter((status) => status !== "pending"),
        (status) => inserted({ authorId, status })
      )
      const after = Option.some(ScheduledMessageId.make("9"))
      expect([
        yield* messages.pending({ after: Option.none(), limit: 2 }),
        yield* messages.pending({ after, limit: 10 })
      ]).toEqual([
        ["9", "10"],
        ["10", "9223372036854775807"]
      ])
    })

    it("a message is listed as pending while it is, also when it is edited back", function*() {
      const messages = yield* ScheduledMessageRepository
      const [armed, failed] = [yield* inserted({ status: "pending" }), yield* inserted({ status: "failed" })]
      yield* messages.update({ ...armed, status: "scheduled" }, "pending")
      yield* messages.update({ ...failed, status: "pending" }, "failed")
      expect(yield* messages.pending({ after: Option.none(), limit: 10 })).toEqual([failed.id])
    })
  }
)
