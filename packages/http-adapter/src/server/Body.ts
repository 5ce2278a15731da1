import { Duration, Effect, Either, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { UnsupportedMediaType } from "../wire/ApiError.ts"
import { type Accepted, type ArrivalError, arrive, PACE } from "./BodyArrival.ts"
import * as BodyMemory from "./BodyMemory.ts"
import * as BodyQuota from "./BodyQuota.ts"
import { BodyTurns } from "./BodyTurns.ts"
import * as Deadline from "./Deadline.ts"
import * as MediaType from "./MediaType.ts"
import type { RateLimits } from "./RateLimits.ts"

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

/** Reads the bodies of requests. */
export interface Bodies {
  /** The memory of one body of the principal. Its owner releases it with the reply. */
  readonly lease: (principal: string) => BodyMemory.Lease
  /** Reads the projection of a JSON body as it arrives. */
  readonly read: (
    source: IncomingMessage,
    accepted: Accepted,
    lease: BodyMemory.Lease
  ) => Effect.Effect<unknown, ArrivalError | UnsupportedMediaType>
}

/** Makes what reads all bodies of a server. */
export const make = (limits: BodyMemory.Limits): Effect.Effect<Bodies, never, RateLimits | Scope.Scope> =>
  Effect.map(Effect.all([Deadline.make(PACE.window), BodyQuota.make]), ([paces, quota]) => {
    const memory = new BodyMemory.BodyMemory(limits)
    const turns = new BodyTurns(setImmediate)
    return {
      lease: (principal) => memory.lease(principal),
      read: (source, accepted, lease) =>
        Effect.zipRight(
          requireJson(source, accepted.formAdvice),
          Effect.suspend(() => arrive(source, accepted, lease, quota, turns, paces()))
        )
    }
  })

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
