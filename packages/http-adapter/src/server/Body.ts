import { Duration, Effect, Either, Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidJson, PayloadTooLarge, UnsupportedMediaType } from "../wire/ApiError.ts"
import * as ContinueExpectation from "./ContinueExpectation.ts"
import * as JsonBody from "./JsonBody.ts"
import * as MediaType from "./MediaType.ts"

/** The limits for draining the rest of a rejected body. */
const DRAIN_LIMITS = { time: Duration.seconds(5), bytes: 32 * 1024 * 1024 } as const

/**
 * Rejects a body that is not declared as JSON in UTF-8, or is compressed. A body without a `Content-Type` is treated as
 * JSON, the only supported type.
 */
const requireJson = (
  { headers }: IncomingMessage,
  formAdvice: Option.Option<string>
): Either.Either<void, UnsupportedMediaType> => {
  const encoding = (headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding !== "identity") return Either.left(new UnsupportedMediaType())
  const contentType = headers["content-type"] ?? "application/json"
  // What nearly all send needs no parsing.
  if (contentType === "application/json") return Either.void
  const mediaType = MediaType.parse(contentType)
  if (Option.exists(mediaType, MediaType.isJson)) return Either.void
  const advice = Option.filter(formAdvice, () => Option.exists(mediaType, MediaType.isForm))
  return Either.left(
    Option.match(advice, {
      onNone: () => new UnsupportedMediaType(),
      onSome: (message) => new UnsupportedMediaType({ message })
    })
  )
}

/**
 * All bytes of a body, at most `limit`. A longer one is refused by the length that it declares, or as soon as the bytes read
 * exceed the limit.
 */
const readBytes = (
  source: IncomingMessage,
  limit: number
): Effect.Effect<Uint8Array, PayloadTooLarge | InvalidJson> => {
  const tooLarge = () => Effect.fail(new PayloadTooLarge({ message: `The body is larger than ${limit} bytes.` }))
  if (Number(source.headers["content-length"] ?? 0) > limit) return tooLarge()
  return Effect.async((resume) => {
    if (source.readableEnded) return resume(Effect.succeed(new Uint8Array()))
    if (source.destroyed) return resume(Effect.fail(new InvalidJson()))
    const pieces: Array<Uint8Array> = []
    let length = 0

    const stop = () => {
      source.off("data", take)
      source.off("end", end)
      source.off("error", fail)
      source.off("close", fail)
    }
    const take = (piece: Uint8Array) => {
      pieces.push(piece)
      length += piece.length
      if (length <= limit) return
      stop()
      source.pause()
      resume(tooLarge())
    }
    const end = () => {
      stop()
      const [only] = pieces
      resume(Effect.succeed(pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length)))
    }
    const fail = () => {
      stop()
      resume(Effect.fail(new InvalidJson()))
    }

    ContinueExpectation.meet(source)
    source.on("data", take)
    source.on("end", end)
    source.on("error", fail)
    source.on("close", fail)
    return Effect.sync(stop)
  })
}

/** Reads and parses a JSON body of at most `limit` bytes. */
export const readJson = (source: IncomingMessage, limit: number, formAdvice: Option.Option<string>) =>
  requireJson(source, formAdvice).pipe(
    Effect.zipRight(readBytes(source, limit)),
    Effect.flatMap(JsonBody.parse)
  )

/**
 * Reads and forgets the rest of a body that was refused, until it ends or a limit is reached. Closing a
 * connection with unread bytes resets it, and the response may be lost. So the response is sent first, then the body is
 * drained, then the connection is closed (RFC 9112, 9.6).
 */
export const drain = (source: IncomingMessage, whenDone: () => void): void => {
  let left = DRAIN_LIMITS.bytes
  const done = () => {
    clearTimeout(timer)
    source.off("data", forget)
    source.off("end", done)
    source.off("error", done)
    source.off("close", done)
    whenDone()
  }
  const forget = (piece: Uint8Array) => {
    left -= piece.length
    if (left <= 0) done()
  }
  const timer = setTimeout(done, Duration.toMillis(DRAIN_LIMITS.time))
  if (source.readableEnded || source.destroyed) return done()
  source.on("end", done)
  source.on("error", done)
  source.on("close", done)
  source.on("data", forget)
  source.resume()
}
