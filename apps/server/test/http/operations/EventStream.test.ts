import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Either, Option, Queue } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import * as ServerSentEvents from "../ServerSentEvents.ts"
import { onEachStorage } from "../TestServer.ts"

const PATH = "/v1/admin/events"

/** The stream of events for operators, an extension of the reference. */
onEachStorage(`GET ${PATH}`, (it) => {
  it.scoped("has the events after a number, and those that happen while it is open", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const after = yield* Fixtures.lastEvent
      const before = yield* Fixtures.happening
      const events = yield* ServerSentEvents.open(`${PATH}?after=${after}`, token)
      const first = yield* Queue.take(events)
      const later = yield* Fixtures.happening
      const second = yield* Queue.take(events)

      expect(first.event).toBe("user.deleted")
      expect(first.data).toMatchObject({
        sequence: Number(first.id),
        type: "user.deleted",
        version: 1,
        data: { user_id: before }
      })
      expect(second.data).toMatchObject({ data: { user_id: later } })
      expect(Number(second.id)).toBeGreaterThan(Number(first.id))
    }))

  it.scoped("has only future events with from=now", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      yield* Fixtures.happening
      const events = yield* ServerSentEvents.open(`${PATH}?from=now`, token)
      const later = yield* Fixtures.happening
      expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(later)
    }))

  it.scoped("continues after the last event that a client has received, whatever its parameters are", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      yield* Fixtures.happening
      const seen = yield* Fixtures.lastEvent
      const missed = yield* Fixtures.happening
      for (const query of ["after=0", "from=now"]) {
        const events = yield* ServerSentEvents.open(`${PATH}?${query}`, token, { "last-event-id": String(seen) })
        expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(missed)
      }
    }))

  it.scoped("begins at the end of the log for a client that is ahead of it, as after a restored backup", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      yield* Fixtures.happening
      const last = yield* Fixtures.lastEvent
      for (const [query, headers] of [["?after=9000000", {}], ["", { "last-event-id": "9000000" }]] as const) {
        const events = yield* ServerSentEvents.open(`${PATH}${query}`, token, headers)
        const later = yield* Fixtures.happening
        expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(later)
      }
      expect(yield* Fixtures.lastEvent).toBe(last + 2)
    }))

  it.scoped("contains a posted message completely", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const { webhook } = yield* Fixtures.webhook
      const after = yield* Fixtures.lastEvent
      const { post } = yield* Webhooks
      const posted = yield* post(webhook, {
        deliveryId: Option.none(),
        announcement: Option.none(),
        embed: Either.right(Fixtures.embed("A build failed"))
      })
      const events = yield* ServerSentEvents.open(`${PATH}?after=${after}`, token)
      expect((yield* Queue.take(events)).data).toMatchObject({
        type: "message.created",
        data: {
          id: Either.getOrThrow(posted).id,
          author: { type: "webhook", webhook_id: webhook.id, name: "Builds", avatar: null },
          payload: { content: "", embeds: [{ title: "A build failed" }], allowed_mentions: { parse: [] } }
        }
      })
    }))

  it.scoped("is one of at most eight of a key", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const streams = yield* Effect.replicateEffect(ServerSentEvents.open(`${PATH}?from=now`, token), 8)
      yield* Fixtures.happening
      yield* Effect.forEach(streams, Queue.take)
      const refused = yield* send(PATH, { admin: token })
      expectError(refused, 429, "RATE_LIMITED")
      expect(refused.headers["retry-after"]).toBe("5")
    }))

  it.effect.each([
    ["?after=x", "after: INVALID_FORMAT"],
    ["?after=-1", "after: NUMBER_OUT_OF_RANGE"],
    ["?from=yesterday", "from: INVALID_ENUM_VALUE"],
    ["?from=now&after=0", "from: INVALID_FORMAT"]
  ])("refuses %s", ([query, violation = ""]) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      expectViolations(yield* send(`${PATH}${query}`, { admin: token }), violation)
    }))
})
