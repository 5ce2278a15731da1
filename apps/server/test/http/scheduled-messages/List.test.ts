import { MessagePayloadResource } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { DateTime, Effect, Option, Schema } from "effect"
import { expect } from "vitest"
import { PAYLOAD } from "../../transfer/Community.ts"
import { expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { type HttpResponse, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

const PATH = "/v1/users/@me/scheduled-messages"

const idsOf = (response: HttpResponse): ReadonlyArray<unknown> =>
  Array.isArray(response.json) ? response.json.map((message: unknown) => at(message, "id")) : []

const moment = DateTime.unsafeMake("2030-01-02T03:04:05.678Z")
const iso = "2030-01-02T03:04:05.678Z"

onMemory("GET /v1/users/@me/scheduled-messages", (it) => {
  const list = (query: string) => Effect.flatMap(Fixtures.bot, ({ token }) => send(`${PATH}${query}`, { bot: token }))

  it.effect("lists messages in the statuses of the query", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const pending = yield* Fixtures.scheduledMessage(user.id)
      const sent = yield* Fixtures.scheduledMessage(user.id, { status: "sent" })
      const cancelled = yield* Fixtures.scheduledMessage(user.id, { status: "cancelled" })
      const ids = (query: string) => Effect.map(send(`${PATH}${query}`, { bot: token }), idsOf)
      expect(yield* ids("")).toEqual([pending.id])
      expect(yield* ids("?status=sent")).toEqual([sent.id])
      expect(new Set(yield* ids("?status=sent&status=cancelled"))).toEqual(new Set([cancelled.id, sent.id]))
    }))

  it.effect("returns all fields of the reference, null for those without a value", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const message = yield* Fixtures.scheduledMessage(user.id, { scheduledAt: moment, createdAt: moment })
      yield* Fixtures.scheduledMessage(user.id, {
        scheduledAt: DateTime.add(moment, { hours: 1 }),
        status: "invalid",
        statusReason: Option.some("The channel does not exist."),
        invalidatedAt: Option.some(moment)
      })
      const { json } = yield* send(PATH, { bot: token })
      expect(at(json, 0)).toEqual({
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
      })
      expect(at(json, 1)).toMatchObject({
        status: "invalid",
        status_reason: "The channel does not exist.",
        invalidated_at: iso
      })
    }))

  it.effect("returns every member of a payload by its name in the reference", () =>
    Effect.gen(function*() {
      const { token, user } = yield* Fixtures.bot
      const payload = yield* Schema.decodeUnknown(MessagePayloadResource)(PAYLOAD)
      yield* Fixtures.scheduledMessage(user.id, { payload })
      expect((yield* send(PATH, { bot: token })).json).toMatchObject([{ payload: PAYLOAD }])
    }))

  it.effect.each(["?status=", "?status", "?status=Sent", "?status=lost&status=sent&status=found"])(
    "reports every unknown status of %s",
    (query) =>
      Effect.gen(function*() {
        const unknown = query.match(/status(?!=sent)/g) ?? []
        expectViolations(yield* list(query), ...unknown.map(() => "status: INVALID_ENUM_VALUE"))
      })
  )

  it.effect("ignores unknown parameters", () =>
    Effect.gen(function*() {
      expect((yield* list("?limit=1&__proto__=x&%ff=%ff")).status).toBe(200)
    }))
})
