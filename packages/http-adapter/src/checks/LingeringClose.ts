import { HttpBody, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Stream } from "effect"

/** How long the rest of a refused body is taken off the wire, and how much of it. */
const PATIENCE = { time: Duration.seconds(5), bytes: 32 * 1024 * 1024 } as const

const encoder = new TextEncoder()

/** Reads and forgets until the end, or until patience ends. */
const drain = <E>(rest: Stream.Stream<Uint8Array, E>): Effect.Effect<void> =>
  rest.pipe(
    Stream.runFoldWhile(PATIENCE.bytes, (left) => left > 0, (left, piece) => left - piece.length),
    Effect.timeoutOption(PATIENCE.time),
    Effect.ignore
  )

/** The bytes of an answer that is sent in one piece; none of a stream. */
const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Option.Option<Uint8Array> => {
  if (body._tag === "Uint8Array") return Option.some(body.body)
  return body._tag === "Raw" && typeof body.body === "string" ? Option.some(encoder.encode(body.body)) : Option.none()
}

/**
 * The answer to a request whose body is not read to its end, so that the client really sees it: who closes a connection
 * with unread bytes resets it, and the answer may be lost on the way. The answer is complete at once; then what still
 * comes is read and forgotten for a while; then the connection is closed (RFC 9112, 9.6).
 */
export const lingering = <E>(
  response: HttpServerResponse.HttpServerResponse,
  rest: Stream.Stream<Uint8Array, E>
): HttpServerResponse.HttpServerResponse =>
  Option.match(bytesOf(response), {
    onNone: () => response,
    onSome: (bytes) =>
      response.pipe(
        HttpServerResponse.setBody(
          HttpBody.stream(
            Stream.concat(Stream.make(bytes), Stream.drain(Stream.fromEffect(drain(rest)))),
            response.body.contentType,
            bytes.length
          )
        ),
        HttpServerResponse.setHeader("connection", "close")
      )
  })
