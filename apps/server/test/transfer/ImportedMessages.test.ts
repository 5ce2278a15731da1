import { UserId } from "@community-messaging/domain/account/User"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import { describe, expect, it } from "@effect/vitest"
import { type Duration, Effect, Layer, Option, TestClock } from "effect"
import { COMMUNITY, PENDING_MESSAGE, toText } from "./Community.ts"
import { eventCount, importText, inMemory } from "./Transfer.ts"

const service = UseCases.layer.pipe(Layer.provide(SnowflakeGenerator.layer(0)), Layer.provideMerge(inMemory))

const AUTHOR = UserId.make(PENDING_MESSAGE.author_id)

const ENDED = { ended_at: "2024-06-30T00:00:00.000Z" }

/** The problems that the import reports for the message, after the community. */
const problemsOf = (fields: object) =>
  Effect.gen(function*() {
    yield* importText(toText(COMMUNITY))
    const { failed } = yield* importText(toText([{ ...PENDING_MESSAGE, ...fields }]))
    return failed.flatMap(({ problems }) => problems)
  }).pipe(Effect.provide(inMemory))

describe("an imported scheduled message", () => {
  it.effect("that breaks rules is refused with the names of its fields", () =>
    Effect.gen(function*() {
      expect(yield* problemsOf({ ...ENDED, status: "scheduled", scheduled_at: "2024-08-01T12:00:00.000Z" })).toEqual(
        [
          {
            path: "scheduled_at",
            reason: "must be 2024-08-01T10:00:00.000Z, when clocks in Europe/Berlin first show 2024-08-01T12:00:00"
          },
          { path: "ended_at", reason: "must not be set when the message is scheduled" }
        ]
      )
    }))

  it.effect("that is pending is armed by the background work", () =>
    Effect.gen(function*() {
      yield* importText(toText([...COMMUNITY, PENDING_MESSAGE]))
      const messages = yield* ScheduledMessages
      yield* messages.armPending({ after: Option.none(), limit: 10 })
      const found = (yield* messages.list(AUTHOR, ["scheduled"])).map(({ id }) => id)
      expect(found).toEqual([PENDING_MESSAGE.id])
    }).pipe(Effect.provide(service)))

  it.effect.each<readonly [what: string, fields: object, time: Duration.DurationInput]>([
    ["was armed", {}, 0],
    ["became invalid", { channel_id: "9" }, 0],
    ["was sent", {}, "60 days"]
  ])(
    "that is pending and %s meanwhile is unchanged when it is imported again",
    ([, fields, time]) =>
      Effect.gen(function*() {
        const file = toText([...COMMUNITY, { ...PENDING_MESSAGE, ...fields }])
        yield* importText(file)
        const messages = yield* ScheduledMessages
        yield* messages.armPending({ after: Option.none(), limit: 10 })
        yield* TestClock.adjust(time)
        yield* messages.dispatchDue(10)
        const before = yield* eventCount
        const { failed, summary } = yield* importText(file)
        expect([failed, summary["scheduled_message"]?.unchanged, yield* eventCount]).toEqual([[], 3, before])
      }).pipe(Effect.provide(service))
  )

  it.effect("that is pending and was edited meanwhile is refused when it is imported again", () =>
    Effect.gen(function*() {
      const file = toText([...COMMUNITY, PENDING_MESSAGE])
      yield* importText(file)
      const messages = yield* ScheduledMessages
      yield* messages.armPending({ after: Option.none(), limit: 10 })
      yield* messages.edit(AUTHOR, ScheduledMessageId.make(PENDING_MESSAGE.id), {
        payload: MessagePayload.make({ content: Option.some("Autumn!") })
      })
      expect((yield* importText(file)).failed.flatMap(({ problems }) => problems)).toEqual([
        { path: "status", reason: "cannot change from scheduled to pending" }
      ])
    }).pipe(Effect.provide(service)))
})

describe("an imported message", () => {
  it.effect("may have a webhook and an avatar that do not exist, because the messages of a deleted webhook stay", () =>
    Effect.gen(function*() {
      const lines = COMMUNITY.filter(({ kind }) => kind !== "webhook" && kind !== "avatar")
      const { failed, summary } = yield* importText(toText(lines))
      expect([failed, summary["message"]?.added]).toEqual([[], 2])
    }).pipe(Effect.provide(inMemory)))
})
