import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Effect, Option, Redacted } from "effect"
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

const pathOf = (webhook: Webhook, token: Redacted.Redacted, provider: "github" | "sentry") =>
  `/v1/webhooks/${webhook.id}/${Redacted.value(token)}/${provider}`

const provided = (provider: "github" | "sentry") =>
  Effect.map(Fixtures.webhook, ({ token, webhook }) => ({
    webhook,
    token,
    notify: (sent: HttpRequest) => send(pathOf(webhook, token, provider), sent)
  }))

const starred = { headers: { "x-github-event": "watch" }, body: star }

/** A text of that length that a database cannot compress, of so many different characters after the first one. */
const incompressible = (length: number, first: string, different: number): string =>
  Array.from({ length }, (_, index) => {
    const random = createHash("sha256").update(String(index)).digest().readUInt32BE()
    return String.fromCodePoint((first.codePointAt(0) ?? 0) + random % different)
  }).join("")

/** A notification of the code host that makes no message. */
const ping = { headers: { "x-github-event": "ping" }, body: { zen: "Keep it", sender: octocat } }

/** A notification of the error tracker that makes no message. */
const installed = {
  headers: { "sentry-hook-resource": "installation" },
  body: { action: "created", installation: { uuid: "u" } }
}

/** Both notification endpoints: API reference, Execute code-hosting webhook and Execute error-tracking webhook. */
const acceptsNotifications = (
  provider: "github" | "sentry",
  accepted: HttpRequest,
  deliveryHeader: string
): void =>
  onEachStorage(`POST /v1/webhooks/{webhook_id}/{token}/${provider}`, (it) => {
    it.effect("posts one message as the webhook, which notifies nobody", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        const response = yield* notify(accepted)
        expect(response).toMatchObject({ status: 204, text: "" })
        const messages = yield* posted(webhook)
        expect(messages).toHaveLength(1)
        expect(messages[0]).toMatchObject({
          channelId: webhook.channelId,
          guildId: webhook.guildId,
          author: { _tag: "Webhook", webhookId: webhook.id, name: "Builds" },
          payload: { content: Option.some(""), allowedMentions: Option.some({ parse: Option.some([]) }) }
        })
        expect(Option.getOrThrow(messages[0]?.payload.embeds ?? Option.none())).toHaveLength(1)
      }))

    it.effect("needs no Authorization header, and ignores it", () =>
      Effect.gen(function*() {
        const { notify } = yield* provided(provider)
        const response = yield* notify({ ...accepted, headers: { ...accepted.headers, authorization: "Bot nonsense" } })
        expect(response.status).toBe(204)
      }))

    it.effect("posts a repeated delivery once", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        const delivery = { ...accepted, headers: { ...accepted.headers, [deliveryHeader]: "d-1" } }
        expect((yield* notify(delivery)).status).toBe(204)
        expect((yield* notify(delivery)).status).toBe(204)
        expect(yield* posted(webhook)).toHaveLength(1)
      }))

    it.effect("posts a repeated delivery once, also if its id is so long that a database could not index it", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        const deliveryOf = (id: string) => ({ ...accepted, headers: { ...accepted.headers, [deliveryHeader]: id } })
        const id = incompressible(10_000, "!", 90)
        const responses = yield* Effect.forEach([id, id, `${id}x`], (each) => notify(deliveryOf(each)))
        expect(responses.map(({ status }) => status)).toEqual([204, 204, 204])
        expect(yield* posted(webhook)).toHaveLength(2)
      }))

    it.effect("posts deliveries of different ids, and those without one, each time", () =>
      Effect.gen(function*() {
        const { notify, webhook } = yield* provided(provider)
        yield* notify({ ...accepted, headers: { ...accepted.headers, [deliveryHeader]: "d-1" } })
        yield* notify({ ...accepted, headers: { ...accepted.headers, [deliveryHeader]: "d-2" } })
        yield* notify({ ...accepted, headers: { ...accepted.headers, [deliveryHeader]: "" } })
        yield* notify({ ...accepted, headers: { ...accepted.headers, [deliveryHeader]: "" } })
        yield* notify(accepted)
        expect(yield* posted(webhook)).toHaveLength(5)
      }))

    it.effect("refuses a token that is not the webhook's", () =>
      Effect.gen(function*() {
        const { webhook } = yield* Fixtures.webhook
        const { token } = yield* Fixtures.webhook
        expectError(yield* send(pathOf(webhook, token, provider), accepted), 403, "ACCESS_DENIED")
        expect(yield* posted(webhook)).toHaveLength(0)
      }))

    it.effect.each(["x", "a%20b", "%00", "x".repeat(3_000), "%F0%9F%A6%8A"])(
      "refuses a malformed token: %s",
      (token) =>
        Effect.gen(function*() {
          const { webhook } = yield* Fixtures.webhook
          expectError(yield* send(`/v1/webhooks/${webhook.id}/${token}/${provider}`, accepted), 403, "ACCESS_DENIED")
        })
    )

    it.effect("refuses an unknown webhook", () =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.webhook
        expectError(
          yield* send(`/v1/webhooks/1/${Redacted.value(token)}/${provider}`, accepted),
          404,
          "UNKNOWN_WEBHOOK"
        )
      }))

    it.effect("refuses a webhook id that is not a snowflake", () =>
      Effect.gen(function*() {
        expectViolations(
          yield* send(`/v1/webhooks/x/y/${provider}`, accepted),
          "webhook_id: INVALID_SNOWFLAKE_FORMAT"
        )
        expectViolations(
          yield* send(`/v1/webhooks/9223372036854775808/y/${provider}`, accepted),
          "webhook_id: SNOWFLAKE_OUT_OF_RANGE"
        )
      }))

    it.effect("checks the token before the body", () =>
      Effect.gen(function*() {
        const { webhook } = yield* Fixtures.webhook
        expectError(yield* send(`/v1/webhooks/${webhook.id}/x/${provider}`, { body: "{" }), 403, "ACCESS_DENIED")
      }))

    it.effect.each([[], "text", 5, null])("refuses a body that is not an object: %j", (body) =>
      Effect.gen(function*() {
        const { notify } = yield* provided(provider)
        expectViolations(yield* notify({ ...accepted, body: JSON.stringify(body) }), "root: INVALID_FORMAT")
      }))

    it.effect("refuses another provider", () =>
      Effect.gen(function*() {
        const { token, webhook } = yield* Fixtures.webhook
        const response = yield* send(`/v1/webhooks/${webhook.id}/${Redacted.value(token)}/gitlab`, accepted)
        expectError(response, 404, "NOT_FOUND")
      }))
  })

const created = { headers: { "sentry-hook-resource": "issue" }, body: issueCreated }
acceptsNotifications("github", starred, "x-github-delivery")
acceptsNotifications("sentry", created, "request-id")

onEachStorage("Notifications of the code host, as they are stored", (it) => {
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
  it.effect("accepts an event that makes no message", () =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("github")
      expect((yield* notify(ping)).status).toBe(204)
      expect(yield* posted(webhook)).toHaveLength(0)
    }))

  it.effect("infers the event if no header names it", () =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("github")
      const issue = { id: "5", number: 1, title: "t", html_url: "https://host.example/i", user: octocat }
      yield* notify({ body: { ...star, action: "opened", issue } })
      expect(yield* posted(webhook)).toHaveLength(1)
    }))

  it.effect("accepts ids as numbers or strings, null in listed fields, and unlisted fields", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const body = {
        ...star,
        sender: { ...octocat, id: "1", site_admin: false },
        issue: null,
        commits: null,
        extra: { deep: [1] }
      }
      expect((yield* notify({ body })).status).toBe(204)
    }))

  it.effect("refuses a number beyond 64 bits, but accepts an id of any size, because no message needs it", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const numbered = `{"sender":{"login":"octocat"},"issue":{"number":9223372036854775808}}`
      expectViolations(yield* notify({ body: numbered }), "issue.number: NUMBER_OUT_OF_RANGE")
      for (const id of ["9223372036854775808", "\"9223372036854775808\""]) {
        expect((yield* notify({ body: `{"sender":{"id":${id},"login":"octocat"}}` })).status).toBe(204)
      }
    }))

  it.effect("posts a message without an author if the sender has no login", () =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("github")
      expect((yield* notify({ ...starred, body: { ...star, sender: {} } })).status).toBe(204)
      const [message] = yield* posted(webhook)
      const [embed] = Option.getOrElse(message?.payload.embeds ?? Option.none(), () => [])
      expect(embed?.author).toEqual(Option.none())
    }))

  it.effect("refuses a notification without a sender", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      expectViolations(yield* notify({ body: {} }), "sender: REQUIRED")
    }))

  it.effect("reports listed fields of a wrong type by their paths, all at once", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const response = yield* notify({
        body: { sender: { ...octocat, login: 5 }, issue: 7, commits: [{ id: "a" }, 3], release: { tag_name: false } }
      })
      expectViolations(
        response,
        "sender.login: INVALID_FORMAT",
        "issue: INVALID_FORMAT",
        "commits.1: INVALID_FORMAT",
        "release.tag_name: INVALID_FORMAT"
      )
    }))

  it.effect("names the setting to change if the body is a form", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const response = yield* notify({
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `payload=${encodeURIComponent(JSON.stringify(star))}`
      })
      expectError(response, 415, "UNSUPPORTED_MEDIA_TYPE")
      expect(at(response.json, "message")).toMatch(/content type .* application\/json/)
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

  it.effect("reports the first 100 violations", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("github")
      const response = yield* notify({ body: { sender: octocat, commits: Array.from({ length: 5_000 }, () => 0) } })
      expectViolations(response, ...Array.from({ length: 100 }, (_, index) => `commits.${index}: INVALID_FORMAT`))
    }))
})

onMemory("Notifications of the error tracker", (it) => {
  it.effect.each(
    [
      ["installation", installed.body],
      ["event_alert", { action: "triggered", data: {} }],
      ["issue", { action: "unknown", data: issueCreated.data }],
      ["issue", {}]
    ] as const
  )("accepts an event that makes no message: %s %j", ([resource, body]) =>
    Effect.gen(function*() {
      const { notify, webhook } = yield* provided("sentry")
      expect((yield* notify({ headers: { "sentry-hook-resource": resource }, body })).status).toBe(204)
      expect(yield* posted(webhook)).toHaveLength(0)
    }))

  it.effect("reports listed fields of a wrong type by their paths, all at once", () =>
    Effect.gen(function*() {
      const { notify } = yield* provided("sentry")
      expectViolations(
        yield* notify({ body: { action: 1, data: { issue: { title: [], project: "x" } }, actor: [] } }),
        "action: INVALID_FORMAT",
        "data.issue.title: INVALID_FORMAT",
        "data.issue.project: INVALID_FORMAT",
        "actor: INVALID_FORMAT"
      )
    }))
})
