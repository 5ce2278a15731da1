import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import * as Saved from "../Saved.ts"
import * as Faults from "./Faults.ts"
import {
  AN_HOUR_LATER,
  armPending,
  contents,
  dispatch,
  eventsOf,
  keep,
  plain,
  saying,
  scene,
  stored,
  updated
} from "./Scene.ts"
import * as Time from "./Time.ts"
import { everything } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

/** Why a message can not be armed. */
const UNDELIVERABLE: ReadonlyArray<readonly [what: string, changes: Partial<ScheduledMessage>, reason: string]> = [
  ["whose channel is not there", { channelId: ChannelId.make("1") }, "The channel is gone."],
  ["that says nothing", { payload: MessagePayload.make({}) }, "The message is empty."],
  ["that says too much", { payload: saying("x".repeat(4001)) }, "The content is longer than 4000 characters."]
]

const PENDING = { status: "pending" } as const

/** What becomes of messages that come in as `pending`: none of them stays so. Source: the states of a scheduled message. */
export const pendingLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("a message that comes in as pending", () => {
    it.effect("is armed, otherwise as it was, and posted at its time", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* keep(at, PENDING)
        expect(yield* armPending()).toEqual({ claimed: 1, done: 1, failed: 0 })
        expect(plain(yield* stored(message.id))).toEqual(plain({ ...message, status: "scheduled" }))
        yield* Time.setTime(AN_HOUR_LATER.epochMillis)
        yield* dispatch()
        expect(yield* contents(at.channel.id)).toEqual(["hello"])
      }).pipe(inWorld))

    it.effect.each(UNDELIVERABLE)(
      "and %s becomes invalid with the reason",
      ([, changes, reason]) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), { ...PENDING, ...changes })
          yield* armPending()
          expect(plain(yield* stored(message.id))).toEqual(plain({
            ...message,
            status: "invalid",
            statusReason: Option.some(reason),
            invalidatedAt: Option.some(START),
            endedAt: Option.some(START)
          }))
        }).pipe(inWorld)
    )

    it.effect("and whose author is not in the guild becomes invalid", () =>
      Effect.gen(function*() {
        const { channel } = yield* scene()
        const message = yield* keep({ author: yield* Saved.user(), channel }, PENDING)
        yield* armPending()
        expect((yield* stored(message.id)).statusReason).toEqual(
          Option.some("The author has no access to the channel.")
        )
      }).pipe(inWorld))

    it.effect("is told to have been armed, or to be invalid", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const right = yield* keep(at, PENDING)
        const wrong = yield* keep(at, { ...PENDING, channelId: ChannelId.make("1") })
        const told = yield* eventsOf(armPending())
        expect(new Set(told)).toEqual(new Set([updated(right, "scheduled"), updated(wrong, "invalid")]))
      }).pipe(inWorld))

    it.effect("is looked at once: there is nothing left to do", () =>
      Effect.gen(function*() {
        yield* keep(yield* scene(), PENDING)
        yield* armPending()
        const before = yield* everything
        expect(yield* armPending()).toEqual({ claimed: 0, done: 0, failed: 0 })
        expect(yield* everything).toEqual(before)
      }).pipe(inWorld))

    it.effect("is one of at most as many as are asked for", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* Effect.replicateEffect(keep(at, PENDING), 3)
        expect([yield* armPending(2), yield* armPending(2)]).toEqual([
          { claimed: 2, done: 2, failed: 0 },
          { claimed: 1, done: 1, failed: 0 }
        ])
      }).pipe(inWorld))

    it.effect.each(["guilds.findChannel", "scheduledMessages.update", "events.append", "before commit"] as const)(
      "stays as it was, and is armed the next time, when storage fails after %s",
      (step) =>
        Effect.gen(function*() {
          yield* keep(yield* scene(), PENDING)
          const before = yield* everything
          expect(yield* Faults.whileFailing(step)(armPending())).toEqual({ claimed: 1, done: 0, failed: 1 })
          expect(yield* everything).toEqual(before)
          expect(yield* armPending()).toEqual({ claimed: 1, done: 1, failed: 0 })
        }).pipe(inWorld)
    )

    it.effect("does not keep others from being armed when it can not be", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const [first, second] = [yield* keep(at, PENDING), yield* keep(at, PENDING)]
        const { at: struck } = yield* Faults.stricken("fails", (_, step) => step === 1)(armPending())
        expect(struck).toBe("scheduledMessages.find")
        const statuses = [(yield* stored(first.id)).status, (yield* stored(second.id)).status].sort()
        expect(statuses).toEqual(["pending", "scheduled"])
      }).pipe(inWorld))
  })
}
