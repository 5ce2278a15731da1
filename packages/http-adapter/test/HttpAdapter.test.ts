import { TracingEnabled } from "@community-messaging/http-adapter/HttpAdapter"
import { httpLaws } from "@community-messaging/http-laws/AllLaws"
import { send } from "@community-messaging/http-laws/Exchange"
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { describe, expect } from "vitest"
import { served } from "./Served.ts"

describe("By our own interpreter", () => {
  httpLaws(served())
})

describe("By the platform's interpreter", () => {
  httpLaws(served({ interpreter: "platform" }))
})

describe("The served API", () => {
  it.live("serves the routes of others beside its own", () =>
    Effect.gen(function*() {
      expect(yield* send("/healthz")).toMatchObject({ status: 200, text: "fine" })
      expect(yield* send("/healthz", { method: "DELETE" })).toMatchObject({ status: 405 })
    }).pipe(Effect.provide(served({
      before: HttpApiBuilder.Router.use((router) => router.get("/healthz", HttpServerResponse.text("fine")))
    }))))

  const spansOf = (before: Layer.Layer<never>) => {
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
      Effect.provide(served({ before: Layer.merge(before, Layer.setTracer(tracer)) })),
      Effect.as(names)
    )
  }

  it.live("makes no spans unless it is told to", () =>
    Effect.gen(function*() {
      expect(yield* spansOf(Layer.empty)).toEqual([])
      expect(yield* spansOf(Layer.succeed(TracingEnabled, true))).not.toEqual([])
    }))
})
