import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, type Layer, Option } from "effect"
import * as Samples from "../Samples.ts"
import {
  AN_HOUR_LATER,
  contents,
  deleteDue,
  dispatch,
  eventsOf,
  inUtc,
  join,
  keep,
  plain,
  plainMessage,
  posted,
  saying,
  type Scene,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  updated
} from "./Scene.ts"
import * as Time from "./Time.ts"
import { everything } from "./WholeState.ts"
import { inOwnWorld, START } from "./World.ts"

const untilDue = Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER))

const NOTHING_DUE = { claimed: 0, done: 0, failed: 0 }

/** What makes a message undeliverable after it was scheduled, and what its author is told. */
const LOST: ReadonlyArray<
  readonly [what: string, lose: (at: Scene) => Effect.Effect<void, unknown, StoragePorts>, reason: string]
> = [
  [
    "whose channel is gone",
    ({ channel }) => Effect.flatMap(GuildRepository, (guilds) => guilds.removeChannel(channel.id)),
    "The channel is gone."
  ],
  [
    "whose author has left the guild",
    ({ author, channel }) =>
      Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(channel.guildId, author.id)),
    "The author has no access to the channel."
  ]
]

/** Payloads that limits have come to forbid since they were scheduled, and what their author is told. */
const FORBIDDEN: ReadonlyArray<readonly [what: string, payload: MessagePayload, reason: string]> = [
  ["too long", saying("🦊".repeat(4001)), "The content is longer than 4000 characters."],
  ["empty", saying(""), "The message is empty."]
]

/** What decision 6 says of messages whose time comes. */
export const dispatchLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const inWorld = inOwnWorld(storage)

  describe("a scheduled message", () => {
    it.effect("is not posted a millisecond before its time", () =>
      Effect.gen(function*() {
        yield* schedule(yield* scene())
        yield* Time.setTime(DateTime.toEpochMillis(AN_HOUR_LATER) - 1)
        const before = yield* everything
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* everything).toEqual(before)
      }).pipe(inWorld))

    it.effect("is posted at its time, as its author's and as it was written", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const { payload } = Samples.message({ payload: { ...saying("Good afternoon"), nonce: Option.some("7") } })
        yield* schedule(at, { payload })
        yield* untilDue
        yield* dispatch()
        const found = yield* posted(at.channel.id)
        expect(found.map(plainMessage)).toEqual(found.map(({ id }) =>
          plainMessage({
            id,
            channelId: at.channel.id,
            guildId: at.channel.guildId,
            author: { _tag: "User", userId: at.author.id },
            payload,
            createdAt: AN_HOUR_LATER
          })
        ))
        expect(found.length).toBe(1)
      }).pipe(inWorld))

    it.effect("is then sent, and ended", () =>
      Effect.gen(function*() {
        const message = yield* schedule(yield* scene())
        yield* untilDue
        expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
        expect(plain(yield* stored(message.id)))
          .toEqual(plain({ ...message, status: "sent", endedAt: Option.some(AN_HOUR_LATER) }))
      }).pipe(inWorld))

    it.effect("is told together with the message that was posted", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        yield* untilDue
        const told = yield* eventsOf(dispatch())
        const created = (yield* posted(at.channel.id)).map((found) => ({
          _tag: "message.created",
          version: 1,
          message: plainMessage(found)
        }))
        expect(told).toEqual([...created, updated(message, "sent")])
      }).pipe(inWorld))

    it.effect("is posted once, however often what is due is looked for", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* schedule(at)
        yield* untilDue
        yield* dispatch()
        const after = yield* everything
        expect(yield* Effect.replicateEffect(dispatch(), 3)).toEqual([NOTHING_DUE, NOTHING_DUE, NOTHING_DUE])
        yield* Time.adjust("1 day")
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* everything).toEqual(after)
      }).pipe(inWorld))

    it.effect("is posted late when nobody was there at its time", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* schedule(at)
        yield* Time.adjust("400 days")
        yield* dispatch()
        expect((yield* posted(at.channel.id)).map(({ createdAt }) => DateTime.formatIso(createdAt)))
          .toEqual([DateTime.formatIso(startPlus("400 days"))])
      }).pipe(inWorld))

    it.effect("is posted in the order of the times, at most as many as asked for", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* Effect.forEach(
          [3, 1, 4, 2],
          (minute) => schedule(at, { ...inUtc(startPlus(`${minute} minutes`)), payload: saying(`${minute}`) })
        )
        yield* untilDue
        expect(yield* dispatch(3)).toEqual({ claimed: 3, done: 3, failed: 0 })
        expect(yield* contents(at.channel.id)).toEqual(["1", "2", "3"])
        yield* dispatch(3)
        expect(yield* contents(at.channel.id)).toEqual(["1", "2", "3", "4"])
      }).pipe(inWorld))

    it.effect("makes the moment known at which there is something to do", () =>
      Effect.gen(function*() {
        const { nextDueAt } = yield* ScheduledMessageRepository
        expect(yield* nextDueAt).toEqual(Option.none())
        yield* schedule(yield* scene())
        expect(Option.map(yield* nextDueAt, DateTime.formatIso)).toEqual(Option.some("2027-03-01T13:00:00.000Z"))
        yield* untilDue
        yield* dispatch()
        expect(yield* nextDueAt).toEqual(Option.none())
      }).pipe(inWorld))

    it.effect.each(["pending", "invalid", "failed", "cancelled", "sent"] as const)(
      "that is %s is not posted",
      (status) =>
        Effect.gen(function*() {
          const at = yield* scene()
          yield* keep(at, { status })
          yield* untilDue
          expect(yield* dispatch()).toEqual(NOTHING_DUE)
          expect(yield* posted(at.channel.id)).toEqual([])
        }).pipe(inWorld)
    )

    it.effect("is posted while its author's account waits for its deletion", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        yield* scheduleDeletion(at.author.id)
        yield* untilDue
        yield* dispatch()
        expect((yield* stored(message.id)).status).toBe("sent")
      }).pipe(inWorld))

    it.effect("is not posted any more once its author's account is deleted", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* schedule(at, inUtc(DateTime.add(startPlus("1 day"), { millis: 1 })))
        yield* scheduleDeletion(at.author.id, 1)
        yield* Time.adjust("2 days")
        yield* deleteDue()
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* posted(at.channel.id)).toEqual([])
      }).pipe(inWorld))
  })

  describe("a message that can not be posted when its time comes", () => {
    for (const [what, lose, reason] of LOST) {
      it.effect(`${what} is invalid from then on, and its author is told why`, () =>
        Effect.gen(function*() {
          const at = yield* scene()
          const message = yield* schedule(at)
          yield* lose(at)
          yield* untilDue
          const told = yield* eventsOf(dispatch())
          expect(plain(yield* stored(message.id))).toEqual(plain({
            ...message,
            status: "invalid",
            statusReason: Option.some(reason),
            invalidatedAt: Option.some(AN_HOUR_LATER),
            endedAt: Option.some(AN_HOUR_LATER)
          }))
          expect(told).toEqual([updated(message, "invalid")])
        }).pipe(inWorld))
    }

    it.effect.each(FORBIDDEN)(
      "because it is %s is invalid from then on, and its author is told why",
      ([, payload, reason]) =>
        Effect.gen(function*() {
          const message = yield* keep(yield* scene(), { payload })
          yield* untilDue
          const told = yield* eventsOf(dispatch())
          expect(plain(yield* stored(message.id))).toEqual(plain({
            ...message,
            status: "invalid",
            statusReason: Option.some(reason),
            invalidatedAt: Option.some(AN_HOUR_LATER),
            endedAt: Option.some(AN_HOUR_LATER)
          }))
          expect(told).toEqual([updated(message, "invalid")])
        }).pipe(inWorld)
    )

    it.effect("is not tried again", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        yield* keep(at, { payload: saying("") })
        yield* untilDue
        expect(yield* dispatch()).toEqual({ claimed: 1, done: 1, failed: 0 })
        yield* Time.adjust("1 day")
        expect(yield* dispatch()).toEqual(NOTHING_DUE)
        expect(yield* posted(at.channel.id)).toEqual([])
      }).pipe(inWorld))

    it.effect("does not keep others from being posted", () =>
      Effect.gen(function*() {
        const [at, other] = [yield* scene(), yield* scene()]
        yield* keep(at, { payload: saying(""), scheduledAt: START })
        yield* schedule(other)
        yield* untilDue
        yield* dispatch()
        expect(yield* contents(other.channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))

    it.effect("because its author had left is posted after an edit when the author is back", () =>
      Effect.gen(function*() {
        const at = yield* scene()
        const message = yield* schedule(at)
        yield* (yield* MembershipRepository).remove(at.channel.guildId, at.author.id)
        yield* untilDue
        yield* dispatch()
        yield* join(at.channel.guildId, at.author.id)
        yield* (yield* ScheduledMessages).edit(at.author.id, message.id, inUtc(startPlus("2 hours")))
        yield* Time.adjust("1 hour")
        yield* dispatch()
        expect(yield* contents(at.channel.id)).toEqual(["Good afternoon"])
      }).pipe(inWorld))
  })
}
