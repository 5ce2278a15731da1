import * as Headers from "@effect/platform/Headers"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import { Data, Effect, Option, type Tracer } from "effect"
import type { IncomingMessage } from "node:http"
import { annotate } from "./Exchange.ts"
import type { Reply } from "./replies/Reply.ts"

/** The server failed to answer, so that the span is an error. */
class RequestFailed extends Data.TaggedError("RequestFailed")<{ readonly code: string; readonly reply: Reply }> {}

/** The span that the `traceparent` header names (W3C Trace Context). */
const callerOf = ({ headers: { traceparent } }: IncomingMessage): Option.Option<Tracer.ExternalSpan> =>
  typeof traceparent === "string"
    ? HttpTraceContext.w3c(Headers.unsafeFromRecord({ traceparent }))
    : Option.none()

const attributesOf = ({ error, status }: Reply): Readonly<Record<string, unknown>> => ({
  "http.response.status_code": status,
  ...(error !== undefined && { "error.type": error.code })
})

/**
 * Runs the work on a request in a span, which continues the trace of the caller. The span has the route's pattern and the
 * error's code, but no data of the request: the path may hold a token. The log lines of the request have the trace's id.
 */
export const inSpan = (
  replied: Effect.Effect<Reply>,
  source: IncomingMessage,
  request: { readonly id: string; readonly method: string; readonly route: string }
): Effect.Effect<Reply> =>
  Effect.currentSpan.pipe(
    Effect.flatMap(({ traceId }) => annotate({ trace_id: traceId })),
    Effect.ignore,
    Effect.zipRight(replied),
    Effect.tap((reply) => Effect.annotateCurrentSpan(attributesOf(reply))),
    Effect.filterOrFail(
      ({ status }) => status < 500,
      (reply) => new RequestFailed({ code: reply.error?.code ?? "", reply })
    ),
    Effect.withSpan(`${request.method} ${request.route}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: {
        "http.request.method": request.method,
        "http.route": request.route,
        request_id: request.id
      },
      ...Option.match(callerOf(source), { onNone: () => ({ root: true }), onSome: (parent) => ({ parent }) })
    }),
    Effect.catchTag("RequestFailed", ({ reply }) => Effect.succeed(reply))
  )
