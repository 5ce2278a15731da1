import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  contents,
  dispatch,
  dueMessage,
  inUtc,
  saying,
  startPlus
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect } from "@effect/vitest"
import { Effect } from "effect"
import { it } from "../World.ts"

/** Posts due messages, and runs `others` right after they were claimed. */
const dispatchWhile = <A, E, R>(others: Effect.Effect<A, E, R>) =>
  Faults.meanwhile("scheduledMessages.claimDue", others)(dispatch())

describe("a message that was claimed", () => {
  it("is posted as its author has edited it in the meantime", function*() {
    const { author, channel, message } = yield* dueMessage
    const messages = yield* ScheduledMessages
    yield* dispatchWhile(messages.edit(author.id, message.id, { payload: saying("Good evening") }))
    expect(yield* contents(channel.id)).toEqual(["Good evening"])
  })

  it("is not posted before the new time that its author has set in the meantime", function*() {
    const { author, channel, message } = yield* dueMessage
    const messages = yield* ScheduledMessages
    expect(yield* dispatchWhile(messages.edit(author.id, message.id, inUtc(startPlus("2 hours")))))
      .toEqual({ claimed: 1, done: 0, failed: 0 })
    expect(yield* contents(channel.id)).toEqual([])
    yield* Time.adjust("1 hour")
    yield* dispatch()
    expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
  })

  it("is posted once if the lease ended before its claimant handled it", function*() {
    const { channel } = yield* dueMessage
    const other = Effect.zipRight(Time.adjust("30 seconds"), dispatch())
    expect(yield* dispatchWhile(other)).toEqual({ claimed: 1, done: 0, failed: 0 })
    expect(yield* contents(channel.id)).toEqual(["Good afternoon"])
  })
})
