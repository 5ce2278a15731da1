import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  contents,
  dispatch,
  dueMessage,
  eventsOf,
  NOTHING_DUE,
  ONE_DONE,
  plain,
  posted,
  stored,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { everything } from "@community-messaging/domain-contract/world/WholeState"
import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { describe, expect } from "@effect/vitest"
import { DateTime, Effect, Option, Random } from "effect"
import { linesOf } from "../../../../test/Logged.ts"
import { it } from "../World.ts"

const FAILED = { claimed: 1, done: 0, failed: 1 }

/** Runs the effect while no message can be posted. */
const failing = Faults.whileFailing("messages.insert")

const nextAttempt = (message: ScheduledMessage): number =>
  DateTime.toEpochMillis(Option.getOrThrow(message.nextAttemptAt))

/** Lets the message fail `times` times, each time when it is due. Returns the delays in seconds. */
const failTimes = ({ message }: { readonly message: ScheduledMessage }, times: number) =>
  Effect.replicateEffect(
    Effect.gen(function*() {
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      yield* failing(dispatch())
      const next = nextAttempt(yield* stored(message.id))
      yield* Time.setTime(next)
      return (next - now) / 1000
    }),
    times
  )

describe("a failed attempt to post a message", () => {
  it("changes only the number of attempts and the time of the next one", function*() {
    const { message } = yield* dueMessage
    const before = yield* everything
    expect(yield* failing(dispatch())).toEqual(FAILED)
    const { nextAttemptAt } = yield* stored(message.id)
    expect(Option.isSome(nextAttemptAt)).toBe(true)
    expect(yield* everything)
      .toEqual({ ...before, scheduledMessages: [plain({ ...message, attempts: 1, nextAttemptAt })] })
  })

  it("is followed by others after delays that double, with a random part, in whole milliseconds", function*() {
    const failing4Times = failTimes(yield* dueMessage, 4)
    expect(yield* Effect.withRandom(failing4Times, Random.fixed([0.12345]))).toEqual([0.623, 1.247, 2.494, 4.988])
  })

  it("is followed by another one at its time, and not a millisecond before", function*() {
    const { channel, message } = yield* dueMessage
    yield* failing(dispatch())
    const next = nextAttempt(yield* stored(message.id))
    yield* Time.setTime(next - 1)
    expect(yield* dispatch()).toEqual(NOTHING_DUE)
    yield* Time.setTime(next)
    expect(yield* dispatch()).toEqual(ONE_DONE)
    expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
    expect(yield* stored(message.id)).toMatchObject({ status: "sent", attempts: 1 })
  })

  it("is the last when it is the fifth: the message fails, with one event", function*() {
    const due = yield* dueMessage
    yield* failTimes(due, 4)
    const endedAt = yield* DateTime.now
    expect(yield* eventsOf(failing(dispatch()))).toEqual([updated(due.message, "failed")])
    expect(yield* stored(due.message.id)).toMatchObject({
      status: "failed",
      statusReason: Option.some("Delivery failed 5 times."),
      attempts: 5,
      endedAt: Option.some(endedAt),
      invalidatedAt: Option.none()
    })
    yield* Time.adjust("30 days")
    expect(yield* dispatch()).toEqual(NOTHING_DUE)
    expect(yield* posted(due.channel.id)).toEqual([])
  })

  it.each(["fails", "dies"] as const)("is counted if storage or the server itself %s", function*(fault) {
    const { message } = yield* dueMessage
    yield* Faults.injectFault(fault, (step) => step === "messages.insert")(dispatch())
    expect(yield* stored(message.id)).toMatchObject({ status: "scheduled", attempts: 1 })
  })

  it("is not counted while the storage fails: the message is claimed again when the lease ends", function*() {
    const { channel, message } = yield* dueMessage
    const outOfReach = Faults.whileFailing("scheduledMessages.find", "before commit")
    expect(yield* linesOf(outOfReach(dispatch()))).toEqual([[["A scheduled message could not be delivered"], {
      scheduled_message_id: message.id,
      cause: "StorageError in continue: the test injects a failure"
    }]])
    expect(plain(yield* stored(message.id))).toEqual(plain(message))
    yield* Time.adjust(29_999)
    expect(yield* dispatch()).toEqual(NOTHING_DUE)
    yield* Time.adjust(1)
    yield* dispatch()
    expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
  })

  it("is in the log, by the id of the message and the failed operation", function*() {
    const { message } = yield* dueMessage
    expect(yield* linesOf(failing(dispatch()))).toEqual([
      [["A scheduled message could not be delivered"], {
        scheduled_message_id: message.id,
        cause: "StorageError in continue: the test injects a failure"
      }]
    ])
  })

  it("is followed by another line of the log if it was the last", function*() {
    const due = yield* dueMessage
    yield* failTimes(due, 4)
    expect((yield* linesOf(failing(dispatch()))).slice(1)).toEqual([
      [["A scheduled message failed, and is not tried again"], { scheduled_message_id: due.message.id }]
    ])
  })

  it("is not counted if the message was posted before the failure was reported", function*() {
    const { channel, message } = yield* dueMessage
    const lines = yield* linesOf(Faults.injectFault("fails", (step) => step === "after commit")(dispatch()))
    expect(lines).toEqual([[["A scheduled message could not be delivered"], expect.anything()]])
    expect(yield* stored(message.id)).toMatchObject({ status: "sent", attempts: 0 })
    expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
  })
})
