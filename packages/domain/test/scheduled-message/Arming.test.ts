import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  armPending,
  eventsOf,
  keep,
  plain,
  saying,
  scene,
  stored,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import { everything } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import type { UserId } from "@community-messaging/domain/account/User"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { linesOf } from "../../../../test/Logged.ts"
import { it } from "../World.ts"

const PENDING = { status: "pending" } as const

const cancel = (authorId: UserId, id: ScheduledMessageId) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))

describe("an imported pending message", () => {
  it("becomes scheduled and is unchanged otherwise, with one event", function*() {
    const message = yield* keep(yield* scene(), PENDING)
    expect(yield* eventsOf(armPending())).toEqual([updated(message, "scheduled")])
    expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, status: "scheduled" }))
  })

  it("becomes invalid with the reason if it cannot be delivered, with one event", function*() {
    const message = yield* keep(yield* scene(), { ...PENDING, payload: saying("") })
    expect(yield* eventsOf(armPending())).toEqual([updated(message, "invalid")])
    expect(plain(yield* stored(message.id))).toEqual(plain({
      ...message,
      status: "invalid",
      statusReason: Option.some("The message is empty."),
      invalidatedAt: Option.some(START),
      endedAt: Option.some(START)
    }))
  })

  it("is checked with others, at most the limit", function*() {
    const at = yield* scene()
    yield* Effect.replicateEffect(keep(at, PENDING), 3)
    expect([yield* armPending(2), yield* armPending(2), yield* armPending(2)]).toEqual([
      { claimed: 2, done: 2, failed: 0 },
      { claimed: 1, done: 1, failed: 0 },
      { claimed: 0, done: 0, failed: 0 }
    ])
  })

  it("stays pending when storage fails, and becomes scheduled the next time", function*() {
    yield* keep(yield* scene(), PENDING)
    const before = yield* everything
    expect(yield* Faults.whileFailing("before commit")(armPending())).toEqual({ claimed: 1, done: 0, failed: 1 })
    expect(yield* everything).toEqual(before)
    expect(yield* armPending()).toEqual({ claimed: 1, done: 1, failed: 0 })
  })

  it("is in the log, by its id and the failed operation, when it cannot be checked", function*() {
    const { id } = yield* keep(yield* scene(), PENDING)
    expect(yield* linesOf(Faults.whileFailing("events.append")(armPending()))).toEqual([
      [["A pending message could not be checked"], {
        scheduled_message_id: id,
        cause: "StorageError in continue: the test injects a failure"
      }]
    ])
  })

  it("stays cancelled when its author cancels it after a server has listed it", function*() {
    const at = yield* scene()
    const messages = [yield* keep(at, PENDING), yield* keep(at, PENDING)]
    const cancelPending = Effect.gen(function*() {
      for (const { id } of messages) {
        if ((yield* stored(id)).status === "pending") yield* cancel(at.author.id, id)
      }
    })
    const result = yield* Faults.meanwhile("after commit", cancelPending)(armPending())
    expect(result).toEqual({ claimed: 2, done: 1, failed: 0 })
    const statuses = yield* Effect.forEach(messages, ({ id }) => Effect.map(stored(id), ({ status }) => status))
    expect(statuses.toSorted()).toEqual(["cancelled", "scheduled"])
  })
})
