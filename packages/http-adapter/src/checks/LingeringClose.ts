import { HttpBody, HttpServerResponse } from "@effect/platform"
import { Chunk, Duration, Effect, Option, Stream } from "effect"
import type { RestOfBody } from "./BodyReader.ts"

/** How long the rest of a refused body is taken off the wire, and how much of it. */
const PATIENCE = { time: Duration.seconds(5), bytes: 32 * 1024 * 1024 } as const

/** Reads and forgets until the end, or until patience ends. */
const drain = (rest: RestOfBody): Effect.Effect<void> => {
  const upTo = (bytes: number): Effect.Effect<void> =>
    Effect.matchEffect(rest, {
      onFailure: () => Effect.void,
      onSuccess: Option.match({
        onNone: () => Effect.void,
        onSome: (pieces) => {
          const left = Chunk.reduce(pieces, bytes, (sum, piece) => sum - piece.length)
          return left > 0 ? upTo(left) : Effect.void
        }
      })
    })
  return upTo(PATIENCE.bytes).pipe(Effect.timeoutOption(PATIENCE.time), Effect.asVoid)
}

/**
 * The answer to a request whose body is not read to its end, so that the client really sees it: who closes a connection
 * with unread bytes resets it, and the answer may be lost on the way. The answer is complete at once; then what still
 * comes is read and forgotten for a while; then the connection is closed (RFC 9112, 9.6).
 */
export const lingering = (
  response: HttpServerResponse.HttpServerResponse,
  rest: RestOfBody
): HttpServerResponse.HttpServerResponse =>
  response.body._tag === "Uint8Array"
    ? response.pipe(
      HttpServerResponse.setBody(
        HttpBody.stream(
          Stream.concat(Stream.make(response.body.body), Stream.drain(Stream.fromEffect(drain(rest)))),
          response.body.contentType,
          response.body.contentLength
        )
      ),
      HttpServerResponse.setHeader("connection", "close")
    )
    : response
