import { Duration, Effect, Either, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { UnsupportedMediaType } from "../wire/ApiError.ts"
import { type Accepted, type ArrivalError, arrive, PACE } from "./BodyArrival.ts"
import * as BodyMemory from "./BodyMemory.ts"
import * as BodyQuota from "./BodyQuota.ts"
import { BodyTurns, BYTES_PER_TURN } from "./BodyTurns.ts"
import * as Deadline from "./Deadline.ts"
import * as MediaType from "./MediaType.ts"
import type { RateLimits } from "./RateLimits.ts"

/**
 * The limits for draining the rest of a rejected body, and of how many at a time: each has buffers, and a client that got
 * its reply may already send the next body on another connection.
 */
const DRAIN_LIMITS = { time: Duration.seconds(5), bytes: 32 * 1024 * 1024, bodies: 64 } as const

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
  /** Reads and forgets the rest of a body, and calls when that is done; at once if too many others are being read. */
  readonly drain: (source: IncomingMessage, whenDone: () => void) => void
}

/** Makes what reads all bodies of a server. */
export const make = (limits: BodyMemory.Limits): Effect.Effect<Bodies, never, RateLimits | Scope.Scope> =>
  Effect.map(Effect.all([Deadline.make(PACE.window), BodyQuota.make]), ([paces, quota]) => {
    const memory = new BodyMemory.BodyMemory(limits)
    const turns = new BodyTurns()
    let draining = 0
    return {
      lease: (principal) => memory.lease(principal),
      read: (source, accepted, lease) => {
        const unsupported = requireJson(source, accepted.formAdvice)
        return Either.isLeft(unsupported) ? unsupported : arrive(source, accepted, lease, quota, turns, paces)
      },
      drain: (source, whenDone) => {
        if (draining >= DRAIN_LIMITS.bodies) return whenDone()
        draining += 1
        drain(source, turns, () => {
          draining -= 1
          whenDone()
        })
      }
    }
  })

/**
 * Returns whether the rest of a body may be long. Node would read it after the reply, as fast as it arrives, to keep the
 * connection for the next request.
 */
export const hasLongRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > BYTES_PER_TURN)

/**
 * Reads and forgets the rest of a body that was refused, in turns with other large bodies, until it ends or a limit is
 * reached. Closing a connection with unread bytes resets it, and the response may be lost. So the response is sent first,
 * then the body is drained, then the connection is closed (RFC 9112, 9.6).
 */
export const drain = (source: IncomingMessage, turns: BodyTurns, whenDone: () => void): void => {
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
    if (left <= 0) return done()
    if (!turns.run(piece.length, () => source.resume())) source.pause()
  }
  const timer = setTimeout(done, Duration.toMillis(DRAIN_LIMITS.time))
  if (source.readableEnded || source.destroyed) return done()
  source.on("end", done)
  source.on("error", done)
  source.on("close", done)
  source.on("data", forget)
  source.resume()
}
