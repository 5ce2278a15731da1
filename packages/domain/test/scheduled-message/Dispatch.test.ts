import * as Samples from "@community-messaging/domain-contract/Samples"
import {
  AN_HOUR_LATER,
  dispatch,
  eventsOf,
  keep,
  NOTHING_DUE,
  ONE_DONE,
  plain,
  plainMessage,
  posted,
  saying,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  untilDue,
  updated
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { MessageId } from "@community-messaging/domain/message/Message"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { it } from "../World.ts"

describe("a scheduled message", () => {
  it("is posted at its time, as written by its author, with an event of the post and one of its own", function*() {
    const at = yield* scene()
    const { payload } = Samples.message({ payload: { ...saying("Good afternoon"), nonce: Option.some("7") } })
    const message = yield* schedule(at, { payload })
    yield* untilDue
    const told = yield* eventsOf(dispatch())
    const found = (yield* posted(at.channel.id)).map(plainMessage)
    expect(found).toEqual([
      plainMessage({
        id: MessageId.make(found[0]?.id ?? "0"),
        channelId: at.channel.id,
        guildId: at.channel.guildId,
        author: { _tag: "User", userId: at.author.id },
        payload,
        createdAt: AN_HOUR_LATER
      })
    ])
    expect(plain(yield* stored(message.id)))
      .toEqual(plain({ ...message, status: "sent", endedAt: Option.some(AN_HOUR_LATER) }))
    expect(told).toEqual([{ _tag: "message.created", version: 1, message: found[0] }, updated(message, "sent")])
  })

  it("is posted once, and late if no server runs at its time", function*() {
    const at = yield* scene()
    yield* schedule(at)
    yield* Time.adjust("400 days")
    expect([yield* dispatch(), yield* dispatch()]).toEqual([ONE_DONE, NOTHING_DUE])
    expect((yield* posted(at.channel.id)).map(({ createdAt }) => createdAt)).toEqual([startPlus("400 days")])
  })

  it("is posted while the deletion of its author's account is scheduled", function*() {
    const at = yield* scene()
    const message = yield* schedule(at)
    yield* scheduleDeletion(at.author.id)
    yield* untilDue
    yield* dispatch()
    expect((yield* stored(message.id)).status).toBe("sent")
  })

  it("becomes invalid with the reason if it cannot be posted, with one event, and is not due again", function*() {
    const message = yield* keep(yield* scene(), { payload: saying("") })
    yield* untilDue
    const told = yield* eventsOf(Effect.map(dispatch(), (result) => expect(result).toEqual(ONE_DONE)))
    expect(told).toEqual([updated(message, "invalid")])
    expect(plain(yield* stored(message.id))).toEqual(plain({
      ...message,
      status: "invalid",
      statusReason: Option.some("The message is empty."),
      invalidatedAt: Option.some(AN_HOUR_LATER),
      endedAt: Option.some(AN_HOUR_LATER)
    }))
    yield* Time.adjust("1 day")
    expect(yield* dispatch()).toEqual(NOTHING_DUE)
  })
})
