import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { inSpan } from "@community-messaging/http-adapter/server/RequestSpan"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, FiberRef, HashMap, Option, Tracer } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"

const fine = Reply.text(200, "text/plain", "fine", {})

/** The ended span of a request with these headers and this reply, and the log annotations of its work. */
const spanOf = (reply: Reply.Reply, headers: Readonly<Record<string, string | ReadonlyArray<string>>> = {}) => {
  const spans: Array<Tracer.Span> = []
  const native = Effect.runSync(Effect.tracer)
  const tracer = Tracer.make({
    context: (run, fiber) => native.context(run, fiber),
    span: (...given) => {
      const span = native.span(...given)
      spans.push(span)
      return span
    }
  })
  const source = Object.assign(new IncomingMessage(new Socket()), { headers })
  let annotations: ReadonlyArray<readonly [string, unknown]> = []
  const work = Effect.map(FiberRef.get(FiberRef.currentLogAnnotations), (known) => {
    annotations = HashMap.toEntries(known)
    return reply
  })
  return inSpan(work, source, { id: "r-1", method: "GET", route: "/v1/docs" }).pipe(
    Effect.withTracer(tracer),
    Effect.map((replied) => {
      const [span] = spans
      const exit = span?.status._tag === "Ended" ? span.status.exit : Exit.die("The span has not ended.")
      return { replied, span, count: spans.length, exit, annotations }
    })
  )
}

describe("The span of a request", () => {
  it.effect("has the method, the route, the id and the status, and no data of the request", () =>
    Effect.gen(function*() {
      const { annotations, count, exit, replied, span } = yield* spanOf(fine, { traceparent: "nonsense" })
      expect(replied).toBe(fine)
      expect(count).toBe(1)
      expect(span).toMatchObject({ name: "GET /v1/docs", kind: "server", parent: Option.none() })
      expect(Object.fromEntries(span?.attributes ?? [])).toEqual({
        "http.request.method": "GET",
        "http.route": "/v1/docs",
        "http.response.status_code": 200,
        request_id: "r-1"
      })
      expect(Exit.isSuccess(exit)).toBe(true)
      expect(annotations).toEqual([["trace_id", span?.traceId]])
    }))

  it.effect("is an error from status 500 on", () =>
    Effect.gen(function*() {
      const isError = (status: number) =>
        Effect.map(spanOf(Reply.text(status, "text/plain", "", {})), ({ exit }) => Exit.isFailure(exit))
      expect([yield* isError(499), yield* isError(500)]).toEqual([false, true])
    }))

  it.effect("does not belong to a span around the server", () =>
    Effect.gen(function*() {
      const { span } = yield* Effect.withSpan(spanOf(fine), "around")
      expect(span?.parent).toEqual(Option.none())
    }))
})
