import type {
  ScheduledMessage,
  ScheduledMessageId
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import {
  type ClaimedMessage,
  ScheduledMessageRepository
} from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { expect } from "@effect/vitest"
import { type DateTime, Effect, Option } from "effect"
import { claimContract } from "./ClaimContract.ts"
import { portContract } from "./OwnPorts.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const inserted = (changes: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const message = Samples.scheduledMessage({ ...changes, authorId: (yield* Saved.user()).id })
    yield* (yield* ScheduledMessageRepository).insert(message)
    return message
  })

const claimAt = (now = NOON) =>
  Effect.flatMap(
    ScheduledMessageRepository,
    (messages) => messages.claimDue({ now, leaseUntil: noonPlus(30_000), limit: 100 })
  )

const idsOf = (messages: ReadonlyArray<ClaimedMessage>): ReadonlyArray<ScheduledMessageId> =>
  messages.map(({ id }) => id)

const nextAt = Effect.flatMap(ScheduledMessageRepository, (messages) => messages.nextDueAt)

const count = (now: DateTime.Utc, limit: number) =>
  Effect.flatMap(ScheduledMessageRepository, (messages) => messages.countDue(now, limit))

/** The contract of `ScheduledMessageRepository` for due messages. */
export const dueMessageContract = portContract<ScheduledMessageRepository>(
  "ScheduledMessageRepository, deliveries",
  ({ it, storage }) => {
    const dueAt: ReadonlyArray<readonly [name: string, at: (at: DateTime.Utc) => Partial<ScheduledMessage>]> = [
      ["due messages", (at) => ({ scheduledAt: at })],
      [
        "due further attempts",
        (at) => ({ scheduledAt: noonPlus(-2_000_000), attempts: 1, nextAttemptAt: Option.some(at) })
      ]
    ]
    for (const [name, changes] of dueAt) {
      claimContract(
        name,
        {
          due: (at) => Effect.map(inserted(changes(at)), ({ id }) => id),
          claim: (options) =>
            Effect.map(Effect.flatMap(ScheduledMessageRepository, (messages) => messages.claimDue(options)), idsOf),
          nextAt,
          count
        },
        storage
      )
    }

    it("a claimed message is returned with its author", function*() {
      const { authorId, id } = yield* inserted({ attempts: 3, nextAttemptAt: Option.some(noonPlus(-1)) })
      expect(yield* claimAt()).toEqual([{ id, authorId }])
    })

    it("messages with another status than scheduled are not due", function*() {
      const others = ScheduledMessageStatus.literals.filter((status) => status !== "scheduled")
      yield* Effect.forEach(others, (status) => inserted({ status }))
      expect([yield* claimAt(), yield* nextAt]).toEqual([[], Option.none()])
    })

    it("a message is due from the time when it is armed", function*() {
      const message = yield* inserted({ status: "pending" })
      yield* (yield* ScheduledMessageRepository).update({ ...message, status: "scheduled" }, "pending")
      expect(idsOf(yield* claimAt())).toEqual([message.id])
    })

    it("a message that was sent is not due again", function*() {
      const message = yield* inserted()
      yield* claimAt()
      yield* (yield* ScheduledMessageRepository).update({ ...message, status: "sent" }, "scheduled")
      expect([yield* claimAt(noonPlus(60_000)), yield* nextAt]).toEqual([[], Option.none()])
    })

    it("a change of a claimed message ends the claim", function*() {
      const message = yield* inserted()
      yield* claimAt()
      const postponed = { ...message, attempts: 1, nextAttemptAt: Option.some(noonPlus(5)) }
      yield* (yield* ScheduledMessageRepository).update(postponed, "scheduled")
      expect([yield* nextAt, idsOf(yield* claimAt(noonPlus(5)))]).toEqual([Option.some(noonPlus(5)), [message.id]])
    })

    it("a rejected change of a claimed message does not end the claim", function*() {
      const message = yield* inserted()
      yield* claimAt()
      yield* Effect.flip((yield* ScheduledMessageRepository).update({ ...message, status: "pending" }, "scheduled"))
      expect(yield* claimAt()).toEqual([])
    })
  }
)
