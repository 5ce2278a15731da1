import { it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { describe, expect } from "vitest"
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
