import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { MessagePayloadResource, toEntity } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { DateTime, Effect, Option, Schema } from "effect"
import { expect } from "vitest"
import { PAYLOAD } from "../../transfer/Community.ts"
import { expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { type HttpResponse, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onEachStorage } from "../TestServer.ts"

const PATH = "/v1/users/@me/scheduled-messages"

const idsOf = (response: HttpResponse): ReadonlyArray<unknown> =>
  Array.isArray(response.json) ? response.json.map((message: unknown) => at(message, "id")) : []

const moment = DateTime.unsafeMake("2030-01-02T03:04:05.678Z")
const iso = "2030-01-02T03:04:05.678Z"

/** A bot with a message in every status, the later ones scheduled for later. */
const botWithMessages = Effect.gen(function*() {
  const author = yield* Fixtures.bot
  const inStatus = (status: ScheduledMessageStatus, minutes: number) =>
    Fixtures.scheduledMessage(author.user.id, { status, scheduledAt: DateTime.add(moment, { minutes }) })
  const failed = yield* inStatus("failed", 5)
  const invalid = yield* inStatus("invalid", 4)
  const scheduled = yield* inStatus("scheduled", 3)
  const pending = yield* inStatus("pending", 2)
  const cancelled = yield* inStatus("cancelled", 1)
  const sent = yield* inStatus("sent", 0)
  const list = (query: string) => send(`${PATH}${query}`, { bot: author.token })
  return { author, failed, invalid, scheduled, pending, cancelled, sent, list }
})

onEachStorage("GET /v1/users/@me/scheduled-messages", (it) => {
  it.effect("lists undelivered messages, soonest first", () =>
    Effect.gen(function*() {
      const { failed, invalid, list, pending, scheduled } = yield* botWithMessages
      expect(idsOf(yield* list(""))).toEqual([pending.id, scheduled.id, invalid.id, failed.id])
    }))

  it.effect("lists messages in a status, the latest first", () =>
    Effect.gen(function*() {
      const { cancelled, list, sent } = yield* botWithMessages
      expect(idsOf(yield* list("?status=sent"))).toEqual([sent.id])
      expect(idsOf(yield* list("?status=sent&status=cancelled"))).toEqual([cancelled.id, sent.id])
    }))

  it.effect("is found by a path with an encoded @", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expect((yield* send(PATH.replace("@", "%40"), { bot: token })).status).toBe(200)
    }))

  it.effect("returns all fields of the reference, null for those without a value", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const message = yield* Fixtures.scheduledMessage(user.id, { scheduledAt: moment, createdAt: moment })
      expect((yield* send(PATH, { bot: token })).json).toEqual([{
        id: message.id,
        channel_id: message.channelId,
        scheduled_at: iso,
        scheduled_local_at: "2027-03-28T09:30:00",
        timezone: "Europe/Berlin",
        status: "pending",
        status_reason: null,
        payload: { content: "hello", flags: 0 },
        created_at: iso,
        invalidated_at: null
      }])
    }))

  it.effect("returns why and when a message became invalid", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      yield* Fixtures.scheduledMessage(user.id, {
        status: "invalid",
        statusReason: Option.some("The channel is gone."),
        invalidatedAt: Option.some(moment)
      })
      expect((yield* send(PATH, { bot: token })).json).toMatchObject([
        { status: "invalid", status_reason: "The channel is gone.", invalidated_at: iso }
      ])
    }))

  it.effect("returns a payload with null for no content and without other absent members", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      yield* Fixtures.scheduledMessage(user.id, { payload: MessagePayload.make({}) })
      expect(at((yield* send(PATH, { bot: token })).json, 0, "payload")).toEqual({ content: null, flags: 0 })
    }))

  it.effect("returns every member of a payload by its name in the reference", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const payload = toEntity(yield* Schema.decodeUnknown(MessagePayloadResource)(PAYLOAD))
      yield* Fixtures.scheduledMessage(user.id, { payload })
      expect((yield* send(PATH, { bot: token })).json).toMatchObject([{ payload: PAYLOAD }])
    }))

  it.effect.each(["?status=lost", "?status=", "?status", "?status=Sent"])(
    "refuses the status of %s",
    (query) =>
      Effect.gen(function*() {
        const { list } = yield* botWithMessages
        expectViolations(yield* list(query), "status: INVALID_ENUM_VALUE")
      })
  )

  it.effect("reports every unknown status", () =>
    Effect.gen(function*() {
      const { list } = yield* botWithMessages
      expectViolations(
        yield* list("?status=lost&status=sent&status=found"),
        "status: INVALID_ENUM_VALUE",
        "status: INVALID_ENUM_VALUE"
      )
    }))

  it.effect("ignores unknown parameters, and a body", () =>
    Effect.gen(function*() {
      const { list } = yield* botWithMessages
      expect((yield* list("?limit=1&__proto__=x&%ff=%ff")).status).toBe(200)
    }))
})
