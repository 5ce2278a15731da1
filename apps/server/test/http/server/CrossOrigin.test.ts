import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../Fixtures.ts"
import { sendRaw } from "../HttpClient.ts"
import { onMemory, testServer } from "../TestServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const SEARCH = "/v1/guilds/1/members-search"
const ORIGIN = "https://chat.example"

const preflight = (path: string, origin = ORIGIN) =>
  sendRaw(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type"
    }
  })

const corsHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"))

onMemory("Without allowed origins", (it) => {
  it.effect.each(["GET", "OPTIONS"])(
    "a page of another origin can read no response to %s",
    (method) =>
      Effect.gen(function*() {
        const { headers } = yield* sendRaw(LIST, { method, headers: { origin: ORIGIN } })
        expect([corsHeaders(headers), headers["vary"]]).toEqual([[], undefined])
      })
  )
})

const some = testServer({ options: { allowedOrigins: new Set([ORIGIN, "http://localhost:3000"]) } })

layer(some, { excludeTestServices: true })("With a list of allowed origins", (it) => {
  it.effect("answers a preflight request, and allows no cookies", () =>
    Effect.gen(function*() {
      const { headers, status, text } = yield* preflight(SEARCH)
      expect({ status, text }).toEqual({ status: 204, text: "" })
      expect(headers["access-control-allow-credentials"]).toBeUndefined()
      expect(headers).toMatchObject({
        "access-control-allow-origin": ORIGIN,
        "access-control-allow-methods": "POST, OPTIONS",
        "access-control-allow-headers": "authorization,content-type",
        "access-control-max-age": "7200",
        vary: "origin"
      })
    }))

  it.effect("lets a page read a response, its id, its limits and the time of the next attempt", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const { headers, status } = yield* sendRaw(LIST, { bot: token, headers: { origin: "http://localhost:3000" } })
      expect(status).toBe(200)
      expect(headers["access-control-allow-origin"]).toBe("http://localhost:3000")
      const exposed = new Set(headers["access-control-expose-headers"]?.toLowerCase().split(", "))
      for (const name of ["x-request-id", "retry-after", "x-ratelimit-remaining", "www-authenticate"]) {
        expect(exposed).toContain(name)
      }
    }))

  it.effect.each([LIST, "/v1/nowhere"])("lets a page read an error: %s", (path) =>
    Effect.gen(function*() {
      const { headers, status } = yield* sendRaw(path, { headers: { origin: ORIGIN } })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(headers["access-control-allow-origin"]).toBe(ORIGIN)
    }))

  it.effect.each(["https://chat.example.evil", "http://chat.example", "https://chat.example:444", "null", "*"])(
    "allows nothing to another origin: %s",
    (origin) =>
      Effect.gen(function*() {
        for (const { headers } of [yield* preflight(SEARCH, origin), yield* sendRaw(LIST, { headers: { origin } })]) {
          expect(corsHeaders(headers)).toEqual([])
        }
      })
  )

  it.effect("has `Vary: Origin`, also without an origin, and keeps other fields", () =>
    Effect.gen(function*() {
      expect((yield* sendRaw("/v1/openapi.json")).headers["vary"]).toBe("origin")
      expect((yield* sendRaw("/v1/docs", { method: "HEAD" })).headers["vary"]).toBe("accept-encoding, origin")
    }))

  it.effect("does not apply outside of the API", () =>
    Effect.gen(function*() {
      expect(corsHeaders((yield* sendRaw("/", { headers: { origin: ORIGIN } })).headers)).toEqual([])
    }))
})

layer(testServer({ options: { allowedOrigins: "*" } }), { excludeTestServices: true })("With all origins", (it) => {
  it.effect("returns the same for every origin, and nothing to programs, which send none", () =>
    Effect.gen(function*() {
      const { headers } = yield* preflight(SEARCH, "https://any.example")
      expect([headers["access-control-allow-origin"], headers["vary"]]).toEqual(["*", undefined])
      expect(corsHeaders((yield* sendRaw(LIST)).headers)).toEqual([])
    }))

  it.effect("answers a preflight request without headers", () =>
    Effect.gen(function*() {
      const asked = { origin: ORIGIN, "access-control-request-method": "POST" }
      const { headers } = yield* sendRaw(SEARCH, { method: "OPTIONS", headers: asked })
      expect(corsHeaders(headers).toSorted()).toEqual([
        "access-control-allow-methods",
        "access-control-allow-origin",
        "access-control-max-age"
      ])
    }))

  it.effect.each(
    [
      ["OPTIONS", { origin: ORIGIN }],
      ["GET", { origin: ORIGIN, "access-control-request-method": "POST" }]
    ] as const
  )("treats no other request as a preflight request: %s %j", ([method, headers]) =>
    Effect.gen(function*() {
      const response = yield* sendRaw(LIST, { method, headers })
      expect(corsHeaders(response.headers).toSorted()).toEqual([
        "access-control-allow-origin",
        "access-control-expose-headers"
      ])
    }))
})
