import { Effect } from "effect"
import { expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send, sendRaw } from "../HttpClient.ts"
import { onMemory } from "../TestServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const CONSENT = "/v1/oauth2/authorize/consent"

/** The paths and methods, and the ids of requests (API gaps, Wire conventions and Errors). */
onMemory("Routes", (it) => {
  it.effect.each([
    "/v1",
    "/v2/users/@me/scheduled-messages",
    "/users/@me/scheduled-messages",
    `${LIST}/`,
    `/${LIST}`,
    "/v1/users/@ME/scheduled-messages",
    "/V1/users/@me/scheduled-messages",
    "/v1/users/1/scheduled-messages",
    "/v1/guilds//members-search",
    "/v1/webhooks/1//github",
    "/v1/%",
    "/v1/guilds/%zz/members-search",
    "/v1/guilds/%ff/members-search",
    "/v1/guilds/1/../1/members-search",
    "/%2e%2e/etc/passwd",
    "/v1/users%2F@me/scheduled-messages",
    `${LIST};x`,
    `${LIST}#x`,
    "/v1/webhooks/1/x/",
    "/v1/webhooks/1/x/gitlab",
    "/v1/webhooks/1/x%2Fgithub/y",
    "/v1/oauth2/authorize/conse%6Et",
    "/v1/%61dmin/audit-log",
    "/v1/webhooks/1/x/githu%62",
    "/v1/users/@%6De/scheduled-messages",
    "/v1/users/%2540me/scheduled-messages",
    "/v1/doc%73"
  ])("answers 404 for an unknown path: %s", (path) =>
    Effect.gen(function*() {
      expectError(yield* send(path), 404, "NOT_FOUND")
    }))

  it.effect.each(
    [
      ["POST", LIST, "GET, HEAD, OPTIONS"],
      ["DELETE", LIST, "GET, HEAD, OPTIONS"],
      ["GET", CONSENT, "POST, OPTIONS"],
      ["PUT", "/v1/guilds/1/members-search", "POST, OPTIONS"],
      ["HEAD", "/v1/admin/users/change-email", "POST, OPTIONS"],
      ["GET", "/v1/webhooks/1/x", "PATCH, OPTIONS"],
      ["PATCH", "/v1/webhooks/1/x/github", "POST, OPTIONS"]
    ] as const
  )("answers 405 for another method: %s %s", ([method, path, allow]) =>
    Effect.gen(function*() {
      const response = yield* sendRaw(path, { method })
      expect(response).toMatchObject({ status: 405, headers: { allow } })
      if (method !== "HEAD") expectError(response, 405, "METHOD_NOT_ALLOWED")
    }))

  it.effect("matches a path also in a URL of any host", () =>
    Effect.gen(function*() {
      expectError(yield* sendRaw(`http://other.example${CONSENT}`, { body: {} }), 401, "UNAUTHORIZED")
    }))

  it.effect("matches the @ of a path also if it is escaped", () =>
    Effect.gen(function*() {
      expectError(yield* sendRaw(LIST.replace("@", "%40")), 401, "UNAUTHORIZED")
    }))

  it.effect("treats an escaped slash in a parameter as a part of it", () =>
    Effect.gen(function*() {
      expectError(yield* send("/v1/webhooks/1/a%2Fb/github", { body: {} }), 404, "UNKNOWN_WEBHOOK")
    }))

  it.effect("returns the methods of a path for OPTIONS", () =>
    Effect.gen(function*() {
      expect(yield* sendRaw(CONSENT, { method: "OPTIONS" })).toMatchObject({
        status: 204,
        headers: { allow: "POST, OPTIONS" },
        text: ""
      })
    }))

  it.effect.each(["*", "http://other.example"])(
    "returns the methods of all paths for OPTIONS of the server: %s",
    (path) =>
      Effect.gen(function*() {
        expect(yield* sendRaw(path, { method: "OPTIONS" })).toMatchObject({
          status: 204,
          headers: { allow: "POST, GET, HEAD, PATCH, OPTIONS" },
          text: ""
        })
        expectError(yield* sendRaw("*", { method: "PUT" }), 404, "NOT_FOUND")
      })
  )

  it.effect("answers HEAD like GET, without the body", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const get = yield* sendRaw(LIST, { bot: token })
      const head = yield* sendRaw(LIST, { bot: token, method: "HEAD" })
      expect(head).toMatchObject({ status: 200, text: "" })
      expect(head.headers["content-length"]).toBe(get.headers["content-length"])
    }))
})

onMemory("Request ids", (it) => {
  it.effect.each(["abc", "A-1.b_2", "x".repeat(128)])("uses a valid one: %s", (id) =>
    Effect.gen(function*() {
      const response = yield* send("/nowhere", { headers: { "x-request-id": id } })
      expect(response.headers["x-request-id"]).toBe(id)
    }))

  it.effect.each(["", "a b", "x".repeat(129), "<script>", "ü"])(
    "makes one instead of %j",
    (id) =>
      Effect.gen(function*() {
        const response = yield* send("/nowhere", { headers: { "x-request-id": id } })
        expect(response.headers["x-request-id"]).not.toBe(id)
      })
  )

  it.effect("makes different ones", () =>
    Effect.gen(function*() {
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => send("/nowhere")))
      expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(10)
    }))
})
