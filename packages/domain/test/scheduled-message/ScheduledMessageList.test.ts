import * as Samples from "@community-messaging/domain-contract/Samples"
import { startPlus } from "@community-messaging/domain-contract/world/Scene"
import { UserId } from "@community-messaging/domain/account/User"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { account } from "../Stored.ts"
import { it } from "../World.ts"

const ANN = UserId.make("2")

/** Stores a message of the author, scheduled `minutes` minutes after the start. */
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
  it("has all undelivered messages", function*() {
    yield* oneOfEach
    // pending, invalid, scheduled, failed; neither sent (4) nor cancelled (6).
    expect(yield* list()).toEqual(["1", "2", "3", "5"])
  })

  it("has only those in the statuses of the request, the latest first", function*() {
    yield* oneOfEach
    expect(yield* list("sent", "failed")).toEqual(["5", "4"])
  })

  it("has the newest hundred if statuses are given", function*() {
    yield* account(ANN)
    yield* Effect.forEach(Array.from({ length: 101 }), (_, index) => keep(index + 1, ANN, "sent", index))
    const ids = yield* list("sent")
    expect(ids).toHaveLength(100)
    expect(ids[0]).toBe("101")
    expect(ids.at(-1)).toBe("2")
  })
})
