import { it } from "@effect/vitest"
import { Effect, Layer, Option, Tracer } from "effect"
import { describe, expect } from "vitest"
import * as Fixtures from "../Fixtures.ts"
import { send, sendRaw } from "../HttpClient.ts"
import { testServer } from "../TestServer.ts"

describe("The served API", () => {
  it.live("can be a part of another server", () =>
    Effect.gen(function*() {
      expect(yield* sendRaw("/healthz")).toMatchObject({ status: 200, text: "fine" })
      expect(yield* send("/v1/openapi.json")).toMatchObject({ status: 200 })
    }).pipe(Effect.provide(testServer({
      mount: (listener) => (request, response) =>
        request.url === "/healthz" ? response.end("fine") : listener(request, response)
    }))))

  it.live("sends users to its own page under its public URL, including the prefix of a proxy", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const application = yield* Fixtures.application([], Option.some((yield* Fixtures.person({ bot: true })).id))
      const body = { client_id: application.id, scope: "bot" }
      const { text } = yield* send("/v1/oauth2/authorize/consent", { bot: token, body })
      expect(text).toMatch(/"redirect_to":"https:\/\/chat\.example\/api\/v1\/oauth2\/authorized\?code=cmc_/)
    }).pipe(Effect.provide(testServer({ options: { publicUrl: "https://chat.example/api" } }))))
  it.live("names in its document the address that an operator sets", () =>
    Effect.gen(function*() {
      const { json } = yield* send("/v1/openapi.json")
      expect(json).toMatchObject({ servers: [{ url: "https://chat.example/api" }] })
    }).pipe(Effect.provide(testServer({ options: { publicUrl: "https://chat.example/api" } }))))

  const spansOf = (options: { readonly tracing?: boolean }) => {
    const names: Array<string> = []
    const native = Effect.runSync(Effect.tracer)
    const tracer = Tracer.make({
      context: (run, fiber) => native.context(run, fiber),
      span: (name, ...rest) => {
        names.push(name)
        return native.span(name, ...rest)
      }
    })
    return send("/v1/users/@me/scheduled-messages", { headers: { authorization: "Bot x" } }).pipe(
      Effect.provide(testServer({ options, before: Layer.setTracer(tracer) })),
      Effect.as(names)
    )
  }

  it.live("makes no spans by default", () =>
    Effect.gen(function*() {
      expect(yield* spansOf({})).toEqual([])
      expect(yield* spansOf({ tracing: true })).not.toEqual([])
    }))
})
