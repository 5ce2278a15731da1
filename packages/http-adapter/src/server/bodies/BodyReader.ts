import { Effect, Either, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { UnsupportedMediaType } from "../../wire/ApiError.ts"
import { BodyTurns } from "../event-loop/BodyTurns.ts"
import * as Deadline from "../event-loop/Deadline.ts"
import type { RateLimits } from "../rate-limits/RateLimits.ts"
import { type ErrorWithHeaders, withHeaders } from "../replies/ErrorMapping.ts"
import { type Accepted, type ArrivalError, arrive, PACE } from "./BodyArrival.ts"
import { type Drain, makeDrain } from "./BodyDrain.ts"
import * as BodyMemory from "./BodyMemory.ts"
import * as BodyQuota from "./BodyQuota.ts"
import * as MediaType from "./MediaType.ts"

/** Whether a list of content codings codes nothing. It may be empty, and have empty elements (RFC 9110, 5.6.1 and 8.4). */
const isIdentity = (codings: string): boolean =>
  codings.split(",").every((coding) => ["", "identity"].includes(coding.trim().toLowerCase()))

/** The error for a body with a content coding. The header names the codings that are accepted (RFC 9110, 15.5.16). */
const CODED = withHeaders(
  new UnsupportedMediaType({ message: "The body must not be compressed: send it without Content-Encoding." }),
  { "accept-encoding": "identity" }
)

/**
 * Rejects a body that is not declared as JSON in UTF-8, or is compressed. A body without a `Content-Type` is treated as
 * JSON, the only supported type.
 */
const requireJson = (
  { headers }: IncomingMessage,
  formAdvice: Option.Option<string>
): Either.Either<void, ErrorWithHeaders | UnsupportedMediaType> => {
  const encoding = headers["content-encoding"]
  if (encoding !== undefined && !isIdentity(encoding)) return Either.left(CODED)
  const contentType = headers["content-type"] ?? "application/json"
  // The value of nearly all requests needs no parsing.
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
export interface BodyReader {
  /** The memory of one body of the principal. Its owner releases it with the reply. */
  readonly lease: (principal: string) => BodyMemory.Lease
  /** Reads the projection of a JSON body as it arrives. */
  readonly read: (
    source: IncomingMessage,
    accepted: Accepted,
    lease: BodyMemory.Lease
  ) => Effect.Effect<unknown, ArrivalError | UnsupportedMediaType>
  readonly drain: Drain
}

/** Makes the reader of all bodies of a server. */
export const make = (limits: BodyMemory.Limits): Effect.Effect<BodyReader, never, RateLimits | Scope.Scope> =>
  Effect.map(Effect.all([Deadline.make(PACE.window), BodyQuota.make]), ([paces, quota]) => {
    const memory = new BodyMemory.BodyMemory(limits)
    const turns = new BodyTurns()
    return {
      lease: (principal) => memory.lease(principal),
      read: (source, accepted, lease) => {
        const unsupported = requireJson(source, accepted.formAdvice)
        return Either.isLeft(unsupported) ? unsupported : arrive(source, accepted, lease, quota, turns, paces)
      },
      drain: makeDrain(turns)
    }
  })
