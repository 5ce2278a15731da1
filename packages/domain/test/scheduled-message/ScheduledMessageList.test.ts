import * as Samples from "@community-messaging/domain-contract/Samples"
import { startPlus } from "@community-messaging/domain-contract/world/Scene"
import { UserId } from "@community-messaging/domain/account/User"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { account } from "../Stored.ts"
import { inWorld } from "../World.ts"

const ANN = UserId.make("2")
const BOB = UserId.make("3")

/** Keeps a message of that author, to be sent that many minutes after the start. */
const keep = (id: number, authorId: UserId, status: ScheduledMessageStatus, minutes: number) =>
  Effect.flatMap(ScheduledMessageRepository, (messages) =>
    messages.insert(Samples.scheduledMessage({
      id: ScheduledMessageId.make(String(id)),
      authorId,
      scheduledAt: startPlus(`${minutes} minutes`),
      status
    })))

const list = (...statuses: ReadonlyArray<ScheduledMessageStatus>) =>
  Effect.map(
    Effect.flatMap(ScheduledMessages, (messages) => messages.list(ANN, statuses)),
    (all) => all.map(({ id }) => id)
  )

const oneOfEach = Effect.gen(function*() {
  yield* account(ANN)
  yield* Effect.forEach(ScheduledMessageStatus.literals, (status, index) => keep(index + 1, ANN, status, index))
})

describe("the list of scheduled messages", () => {
  it.effect("is empty for an account that has none", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      expect(yield* list()).toEqual([])
    }).pipe(inWorld))

  it.effect("has all that are undelivered", () =>
    Effect.gen(function*() {
      yield* oneOfEach
      // pending, invalid, scheduled, failed; neither sent (4) nor cancelled (6).
      expect(yield* list()).toEqual(["1", "2", "3", "5"])
    }).pipe(inWorld))

  it.effect("has the soonest first, ties by id as a number", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* keep(10, ANN, "pending", 5)
      yield* keep(9, ANN, "scheduled", 5)
      yield* keep(20, ANN, "failed", 1)
      yield* keep(1, ANN, "invalid", 9)
      expect(yield* list()).toEqual(["20", "9", "10", "1"])
    }).pipe(inWorld))

  it.effect("does not have those of others", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* account(BOB)
      yield* keep(1, BOB, "scheduled", 1)
      yield* keep(2, ANN, "scheduled", 2)
      expect(yield* list()).toEqual(["2"])
      expect(yield* list("scheduled")).toEqual(["2"])
    }).pipe(inWorld))

  it.effect.each(ScheduledMessageStatus.literals)(
    "has those in status %s alone where it is asked for",
    (status) =>
      Effect.gen(function*() {
        yield* oneOfEach
        expect(yield* list(status)).toEqual([String(ScheduledMessageStatus.literals.indexOf(status) + 1)])
      }).pipe(inWorld)
  )

  it.effect("has the newest first where statuses are asked for, ties by id in that direction", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* keep(10, ANN, "sent", 5)
      yield* keep(9, ANN, "cancelled", 5)
      yield* keep(20, ANN, "sent", 1)
      yield* keep(1, ANN, "sent", 9)
      yield* keep(2, ANN, "pending", 10)
      expect(yield* list("sent", "cancelled")).toEqual(["1", "10", "9", "20"])
    }).pipe(inWorld))

  it.effect("has the newest hundred where statuses are asked for", () =>
    Effect.gen(function*() {
      yield* account(ANN)
      yield* Effect.forEach(Array.from({ length: 101 }), (_, index) => keep(index + 1, ANN, "sent", index))
      const ids = yield* list("sent")
      expect(ids).toHaveLength(100)
      expect(ids[0]).toBe("101")
      expect(ids.at(-1)).toBe("2")
    }).pipe(inWorld))
})
