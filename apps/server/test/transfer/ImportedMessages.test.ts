import { UserId } from "@community-messaging/domain/account/User"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { SnowflakeGenerator } from "@community-messaging/domain/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { COMMUNITY, toText } from "./Community.ts"
import { importText, inMemory } from "./Transfer.ts"

const service = UseCases.layer.pipe(Layer.provide(SnowflakeGenerator.layer(0)), Layer.provideMerge(inMemory))

const AUTHOR = UserId.make("102")

const message = {
  kind: "scheduled_message",
  id: "703",
  author_id: AUTHOR,
  channel_id: "401",
  scheduled_at: "2024-08-01T10:00:00.000Z",
  scheduled_local_at: "2024-08-01T12:00:00",
  timezone: "Europe/Berlin",
  payload: { content: "Summer!" },
  created_at: "2024-06-30T00:00:00.000Z"
}

const ENDED = { ended_at: "2024-06-30T00:00:00.000Z" }
const INVALID = { status: "invalid", status_reason: "Gone.", invalidated_at: "2024-06-30T00:00:00.000Z", ...ENDED }

/** What the import says of the message, on top of the community. */
const problemsOf = (fields: object) =>
  Effect.gen(function*() {
    yield* importText(toText(COMMUNITY))
    const { failed } = yield* importText(toText([{ ...message, ...fields }]))
    return failed.flatMap(({ problems }) => problems)
  }).pipe(Effect.provide(inMemory))

describe("an imported scheduled message", () => {
  it.effect.each<readonly [what: string, fields: object]>([
    ["it is pending", {}],
    ["it is due already, and scheduled", {
      status: "scheduled",
      scheduled_at: "2024-06-01T10:00:00Z",
      scheduled_local_at: "2024-06-01T12:00:00"
    }],
    ["its time does not exist on that day", {
      scheduled_at: "2025-03-30T01:30:00Z",
      scheduled_local_at: "2025-03-30T02:30:00"
    }],
    ["its time comes twice on that day", {
      scheduled_at: "2024-10-27T00:30:00Z",
      scheduled_local_at: "2024-10-27T02:30:00"
    }],
    ["it was invalid and is cancelled", { ...INVALID, status: "cancelled" }]
  ])("is taken in when %s", ([, fields]) =>
    Effect.gen(function*() {
      expect(yield* problemsOf(fields)).toEqual([])
    }))

  it.effect("that contradicts itself is refused under the names of its fields", () =>
    Effect.gen(function*() {
      expect(yield* problemsOf({ ...INVALID, scheduled_at: "2024-08-01T12:00:00.000Z", invalidated_at: null })).toEqual(
        [
          {
            path: "scheduled_at",
            reason: "is not the moment at which clocks in Europe/Berlin show 2024-08-01T12:00:00"
          },
          { path: "invalidated_at", reason: "is missing, and the message is invalid" }
        ]
      )
    }))

  it.effect.each<readonly [what: string, fields: object, status: string, reason: string | undefined]>([
    ["can be posted is armed", {}, "scheduled", undefined],
    ["has no channel becomes invalid", { channel_id: "9" }, "invalid", "The channel is gone."],
    ["says nothing becomes invalid", { payload: { content: " " } }, "invalid", "The message is empty."]
  ])("that is pending and %s when the worker looks", ([, fields, status, reason]) =>
    Effect.gen(function*() {
      yield* importText(toText([...COMMUNITY, { ...message, ...fields }]))
      const messages = yield* ScheduledMessages
      yield* messages.armPending(10)
      const found = (yield* messages.list(AUTHOR, [])).filter(({ id }) => id === message.id)
      expect(found.map(({ status: now, statusReason }) => [now, statusReason])).toMatchObject([
        [status, reason === undefined ? { _tag: "None" } : { _tag: "Some", value: reason }]
      ])
    }).pipe(Effect.provide(service)))
})
