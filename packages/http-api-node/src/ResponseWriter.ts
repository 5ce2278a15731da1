import { Cookies, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { NodeRequest } from "./NodeRequest.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Writes the response to a request. It is over when Node has all of it; with a stream's end where it is a stream. */
export type ResponseWriter = (request: NodeRequest, response: Response) => Effect.Effect<void>

/** What is written after the headers in one piece, undefined for nothing; none where it takes more than that. */
const pieceOf = (
  method: string,
  { body, cookies }: Response
): { readonly piece: string | Uint8Array | undefined } | undefined => {
  if (!Cookies.isEmpty(cookies)) return undefined
  if (method === "HEAD" || body._tag === "Empty") return { piece: undefined }
  if (body._tag === "Uint8Array") return { piece: body.body }
  return body._tag === "Raw" && (typeof body.body === "string" || body.body instanceof Uint8Array)
    ? { piece: body.body }
    : undefined
}

/** The writer of responses. Streams, forms, files and cookies are left to the platform's own. */
export const make: Effect.Effect<ResponseWriter> = Effect.gen(function*() {
  const responses = new WeakMap<IncomingMessage, Response>()
  const platform = yield* NodeHttpServer.makeHandler(
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => Effect.orDie(Effect.fromNullable(responses.get(NodeHttpServerRequest.toIncomingMessage(request))))
    )
  )

  const writeByPlatform = (source: IncomingMessage, target: ServerResponse, response: Response): Effect.Effect<void> =>
    Effect.async((resume) => {
      if (target.closed) return resume(Effect.void)
      responses.set(source, response)
      target.once("close", () => resume(Effect.void))
      platform(source, target)
    })

  return ({ answerHeaders, method, response: target, source }, response) => {
    if (target.headersSent) return Effect.void
    const whole = pieceOf(method, response)
    if (whole === undefined) {
      return writeByPlatform(source, target, HttpServerResponse.setHeaders(response, answerHeaders))
    }
    target.writeHead(response.status, { ...response.headers, ...answerHeaders })
    target.end(whole.piece)
    return Effect.void
  }
})
