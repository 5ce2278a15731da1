import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  eventsOf,
  keep,
  plain,
  scene,
  schedule,
  startPlus,
  stored,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { it } from "../World.ts"

const cancel = ({ authorId, id }: Pick<ScheduledMessage, "authorId" | "id">) =>
  Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))

describe("cancelling a scheduled message", () => {
  it("ends the message, and appends one event", function*() {
    const message = yield* keep(yield* scene(), {
      status: "invalid",
      statusReason: Option.some("The channel does not exist.")
    })
    yield* Time.adjust("10 minutes")
    expect(yield* eventsOf(cancel(message))).toEqual([updated(message, "cancelled")])
    expect(plain(yield* stored(message.id))).toEqual(plain({
      ...message,
      status: "cancelled",
      statusReason: Option.none(),
      endedAt: Option.some(startPlus("10 minutes"))
    }))
  })

  it("fails for a message of another author, and for one that does not exist", function*() {
    const message = yield* schedule(yield* scene())
    const stranger = yield* Saved.user()
    expect(yield* failureOf(cancel({ ...message, authorId: stranger.id }))).toMatchObject({
      _tag: "UnknownScheduledMessage",
      scheduledMessageId: message.id
    })
    const missing = Samples.scheduledMessage({ authorId: message.authorId })
    expect(yield* Effect.flip(cancel(missing))).toMatchObject({ _tag: "UnknownScheduledMessage" })
  })

  it("changes nothing when storage fails", function*() {
    const message = yield* schedule(yield* scene())
    expect((yield* failureOf(Faults.whileFailing("before commit")(cancel(message))))._tag).toBe("StorageError")
  })
})
