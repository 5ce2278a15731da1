import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { type HttpRequest, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onEachStorage, onMemory } from "../TestServer.ts"

const octocat = {
  id: 1,
  login: "octocat",
  html_url: "https://host.example/octocat",
  avatar_url: "https://host.example/a.png"
}

/** A notification of the code host that makes a message. */
const star = {
  action: "started",
  sender: octocat,
  repository: { id: 2, name: "hello", full_name: "octocat/hello", html_url: "https://host.example/octocat/hello" }
}

/** A notification of the error tracker that makes a message. */
const issueCreated = {
  action: "created",
  data: {
    issue: { id: "1", shortId: "APP-1", title: "It broke", level: "error", permalink: "https://tracker.example/1" }
  }
}

const posted = (webhook: Webhook) =>
  Effect.gen(function*() {
    const messages = yield* MessageRepository
    return yield* Effect.orDie(messages.inChannel({ channelId: webhook.channelId, before: Option.none(), limit: 100 }))
  })

const provided = (provider: "github" | "sentry") =>
  Effect.map(Fixtures.webhook, ({ path, webhook }) => ({
    webhook,
    notify: (sent: HttpRequest) => send(`${path}/${provider}`, sent)
  }))

const starred = { headers: { "x-github-event": "watch" }, body: star }

/** A text of that length that a database cannot compress, of so many different characters after the first one. */
const incompressible = (length: number, first: string, different: number): string =>
  Array.from({ length }, (_, index) => {
    const random = createHash("sha256").update(String(index)).digest().readUInt32BE()
    return String.fromCodePoint((first.codePointAt(0) ?? 0) + random % different)
  }).join("")

/** Both notification endpoints: API reference, Execute code-hosting webhook and Execute error-tracking webhook. */
const acceptsNotifications = (
  provider: "github" | "sentry",
  accepted: HttpRequest,
  deliveryHeader: string
): void =>
  onMemory(`POST /v1/webhooks/{webhook_id}/{token}/${provider}`, (it) => {
    it.effect("posts one message, and ignores an Authorization header", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        const response = yield* notify({ ...accepted, headers: { ...accepted.headers, authorization: "Bot nonsense" } })
        expect(response).toMatchObject({ status: 204, text: "" })
        expect(yield* posted(webhook)).toHaveLength(1)
      }))

    it.effect("posts a repeated delivery once, and those without an id each time", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        for (const id of ["d-1", "d-1", "d-2", "", ""]) {
          const delivery = { ...accepted, headers: { ...accepted.headers, [deliveryHeader]: id } }
          expect((yield* notify(delivery)).status).toBe(204)
        }
        expect(yield* posted(webhook)).toHaveLength(4)
      }))

    it.effect("makes no message for an event of another kind in its header", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        yield* notify({ ...accepted, headers: { "x-github-event": "ping", "sentry-hook-resource": "comment" } })
        expect(yield* posted(webhook)).toHaveLength(0)
      }))
  })

const created = { headers: { "sentry-hook-resource": "issue" }, body: issueCreated }
acceptsNotifications("github", starred, "x-github-delivery")
acceptsNotifications("sentry", created, "request-id")

onEachStorage("Notifications of the code host, as they are stored", (it) => {
  it.effect("are posted once for a delivery, also if its id is so long that a database could not index it", () =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("github")
      const id = incompressible(10_000, "!", 90)
      for (const delivery of [id, id, `${id}x`]) {
        const headers = { ...starred.headers, "x-github-delivery": delivery }
        expect((yield* notify({ ...starred, headers })).status).toBe(204)
      }
      expect(yield* posted(webhook)).toHaveLength(2)
    }))

  it.effect.each([400, 960, 3_000])(
    "posts a new branch whose name has %i ideographs",
    (length) =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided("github")
        const ref = incompressible(length, "一", 20_000)
        const branch = { ...star, action: null, ref, ref_type: "branch", master_branch: "main" }
        expect((yield* notify({ headers: { "x-github-event": "create" }, body: branch })).status).toBe(204)
        expect(yield* posted(webhook)).toHaveLength(1)
      })
  )
})

onMemory("Notifications of the code host", (it) => {
  it.effect("refuses a number beyond 64 bits, but accepts an id of any size, because no message needs it", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const numbered = `{"sender":{"login":"octocat"},"issue":{"number":9223372036854775808}}`
      expectViolations(yield* notify({ body: numbered }), "issue.number: NUMBER_OUT_OF_RANGE")
      for (const id of ["9223372036854775808", "\"9223372036854775808\""]) {
        expect((yield* notify({ body: `{"sender":{"id":${id},"login":"octocat"}}` })).status).toBe(204)
      }
    }))

  it.effect("names the setting to change if the body is a form", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const response = yield* notify({
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `payload=${encodeURIComponent(JSON.stringify(star))}`
      })
      expectError(response, 415, "UNSUPPORTED_MEDIA_TYPE")
      expect(at(response.json, "message")).toMatch(/^The notification came as a form: .*application\/json/)
    }))

  it.effect("counts all commits of a push, although only the first are read", () =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("github")
      const commits = Array.from({ length: 2_048 }, (_, index) => ({ id: "a".repeat(40), message: `Commit ${index}` }))
      const body = { ...star, action: null, ref: "refs/heads/main", commits }
      expect((yield* notify({ headers: { "x-github-event": "push" }, body })).status).toBe(204)
      const [message] = yield* posted(webhook)
      const [embed] = Option.getOrElse(message?.payload.embeds ?? Option.none(), () => [])
      expect(Option.getOrUndefined(embed?.title ?? Option.none())).toBe("[hello:main] 2048 new commits")
      expect(Option.getOrUndefined(embed?.description ?? Option.none())).toMatch(/Commit 9\n… and 2038 more$/)
    }))
})
