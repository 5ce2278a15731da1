import { Credentials } from "@community-messaging/domain/access/Credentials"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Either, Option, Queue, Redacted } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import * as RawClient from "../RawClient.ts"
import { stream } from "../RawConnection.ts"
import * as ServerSentEvents from "../ServerSentEvents.ts"
import { onEachStorage, TestServer } from "../TestServer.ts"

const PATH = "/v1/admin/events"

/** The sequence number of the last event. */
const end = Effect.gen(function*() {
  const events = yield* EventLog
  return (yield* events.read(0, 1_000_000)).at(-1)?.sequence ?? 0
})

const request = (token: Redacted.Redacted) =>
  `GET ${PATH}?from=now HTTP/1.1\r\nHost: x\r\nAuthorization: Admin ${Redacted.value(token)}\r\n\r\n`

/** A client that has received the beginning of a response. */
const asking = (token: Redacted.Redacted) =>
  Effect.gen(function*() {
    const { origin } = yield* TestServer
    const client = yield* RawClient.open(Number(new URL(origin).port))
    client.write(request(token))
    return { client, received: yield* client.until(/\r\n\r\n/) }
  })

/** A client with an open stream. */
const listeningClient = (token: Redacted.Redacted) => Effect.map(asking(token), ({ client }) => client)

/** The status of the response. */
const openStream = (token: Redacted.Redacted) =>
  Effect.map(asking(token), ({ received }) => RawClient.statuses(received)[0])

/** Causes an event of a new account. */
const happening = Effect.gen(function*() {
  const events = yield* EventLog
  const { id } = yield* Fixtures.person()
  yield* events.append(UserDeleted.make({ version: 1, userId: id }))
  return id
})

/** The stream of events for operators, an extension of the reference. */
onEachStorage(`GET ${PATH}`, (it) => {
  it.scoped("has the events after a number, and those that happen while it is open", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const after = yield* end
      const before = yield* happening
      const events = yield* ServerSentEvents.open(`${PATH}?after=${after}`, token)
      const first = yield* Queue.take(events)
      const later = yield* happening
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

  it.scoped("continues after the last event that a client has received", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const after = yield* end
      yield* happening
      const missed = yield* happening
      const [seen] = yield* EventStream.read(after, 1)
      const events = yield* ServerSentEvents.open(`${PATH}?after=0`, token, {
        "last-event-id": String(seen?.sequence)
      })
      expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(missed)
    }))

  it.scoped("has only future events with from=now", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      yield* happening
      const events = yield* ServerSentEvents.open(`${PATH}?from=now`, token)
      const later = yield* happening
      expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(later)
    }))

  it.scoped("continues after the last event that a client has received, also with from=now", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const seen = yield* end
      const missed = yield* happening
      const events = yield* ServerSentEvents.open(`${PATH}?from=now`, token, { "last-event-id": String(seen) })
      expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(missed)
    }))

  it.scoped("has its position, so that a client that loses its connection before the first event misses none", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      yield* happening
      const client = yield* listeningClient(token)
      const beginning = yield* client.until(/\nid: \d+\n\n/)
      client.close()
      const missed = yield* happening
      const events = yield* ServerSentEvents.open(`${PATH}?from=now`, token, {
        "last-event-id": /\nid: (\d+)\n\n/.exec(beginning)?.[1] ?? ""
      })
      expect(at((yield* Queue.take(events)).data, "data", "user_id")).toBe(missed)
    }))

  it.scoped("contains a posted message completely", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const { webhook } = yield* Fixtures.webhook
      const after = yield* end
      const { post } = yield* Webhooks
      const posted = yield* post(webhook, {
        deliveryId: Option.none(),
        announcement: Option.none(),
        embed: Option.some(Fixtures.embed("A build failed"))
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

  it.scoped("ends when the key is revoked", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* Fixtures.adminKey("events:read")
      const { credential: other, token: otherToken } = yield* Fixtures.adminKey("events:read")
      const client = yield* listeningClient(token)
      const stays = yield* listeningClient(otherToken)
      const { revoke } = yield* Credentials
      yield* revoke(credential.id, { _tag: "CommandLine" })
      yield* client.closed
      const happened = yield* happening
      yield* stays.until(new RegExp(happened))
      yield* revoke(other.id, { _tag: "CommandLine" })
      yield* stays.closed
    }))

  it.scoped("is one of at most eight of a key", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const clients = yield* Effect.replicateEffect(listeningClient(token), 8)
      const refused = yield* send(PATH, { admin: token })
      expectError(refused, 429, "RATE_LIMITED")
      expect(refused.headers["retry-after"]).toBe("5")
      const other = yield* Fixtures.adminKey("events:read")
      yield* listeningClient(other.token)
      clients[0]?.close()
      // The server notices soon.
      yield* Effect.repeat(Effect.scoped(openStream(token)), { until: (status) => status === 200 })
    }))

  it.effect("does not begin for HEAD", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const head = `HEAD ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Admin ${Redacted.value(token)}\r\n` +
        "Connection: close\r\n\r\n"
      const { response } = yield* stream(head, Buffer.alloc(0), 0)
      expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/event-stream[\s\S]*\r\n\r\n$/)
    }))

  it.effect("requires the right to read events", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("user:delete")
      expectError(yield* send(PATH, { admin: token }), 403, "MISSING_ACL")
      expectError(yield* send(PATH), 401, "UNAUTHORIZED")
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
