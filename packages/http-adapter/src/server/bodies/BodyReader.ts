import { ByteTurns } from "@community-messaging/event-loop/ByteTurns"
import * as Deadline from "@community-messaging/event-loop/Deadline"
import { JsonReader } from "@community-messaging/json-reader/JsonReader"
import type { Projection } from "@community-messaging/json-reader/Projection"
import { Effect, Either, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { InternalServerError, type InvalidJson, UnsupportedMediaType } from "../../wire/ApiError.ts"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import { withHeaders } from "../replies/ErrorMapping.ts"
import {
  type Accepted,
  type ArrivalError,
  arrive,
  type BodyQuota,
  INVALID_JSON,
  PACE,
  READ_AT_ONCE,
  tooLarge
} from "./BodyArrival.ts"
import { type Drain, makeDrain } from "./BodyDrain.ts"
import * as BodyMemory from "./BodyMemory.ts"
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
): Either.Either<void, ArrivalError> => {
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

/** Returns a small body that has arrived completely. */
const takeWhole = (source: IncomingMessage, declaredLength: number): Uint8Array | undefined => {
  if (declaredLength === 0 || declaredLength > READ_AT_ONCE || source.readableLength !== declaredLength) {
    return undefined
  }
  const whole: unknown = source.read()
  return whole instanceof Uint8Array ? whole : undefined
}

/** Reads a body that is too small for the limits of pace, memory and turns. */
const readWhole = (bytes: Uint8Array, projection: Projection): Either.Either<unknown, InvalidJson> => {
  const reader = new JsonReader(projection)
  reader.push(bytes)
  return Either.mapLeft(reader.end(), (reason) => INVALID_JSON[reason])
}

/** A mistake in the server's code, which the client cannot correct. */
const alreadyRead = Effect.zipRight(
  Effect.logError(
    "The body of a request was read before the API could read it. Mount the API before body parsers such as express.json()."
  ),
  Effect.fail(new InternalServerError())
)

/** Reads the bodies of requests. */
export interface BodyReader {
  /** The memory of one body of the principal. Its owner releases it with the reply. */
  readonly lease: (principal: string) => BodyMemory.Lease
  /**
   * Reads the projection of a JSON body. A small body that has arrived already is read at once, and needs no lease. A body
   * that is too large is refused by its declared length.
   */
  readonly read: (
    source: IncomingMessage,
    accepted: Accepted,
    lease: () => BodyMemory.Lease
  ) => Effect.Effect<unknown, ArrivalError>
  readonly drain: Drain
}

/** Makes the reader of all bodies of a server. */
export const make = (limits: BodyMemory.Limits): Effect.Effect<BodyReader, never, RateLimits | Scope.Scope> =>
  Effect.map(Effect.all([Deadline.make(PACE.window), RateLimits]), ([paces, { count }]) => {
    const quota: BodyQuota = (principal, units) => count("body", principal, units)
    const memory = new BodyMemory.BodyMemory(limits)
    const turns = new ByteTurns()
    return {
      lease: (principal) => memory.lease(principal),
      read: (source, accepted, lease) => {
        const unsupported = requireJson(source, accepted.formAdvice)
        if (Either.isLeft(unsupported)) return unsupported
        // After setEncoding, pieces are text: their bytes cannot be read any more.
        if (source.readableDidRead || source.readableEncoding !== null) return alreadyRead
        const declaredLength = Number(source.headers["content-length"] ?? 0)
        if (declaredLength > accepted.limit) return tooLarge(accepted.limit)
        const whole = takeWhole(source, declaredLength)
        return whole === undefined
          ? arrive(source, accepted, declaredLength, lease(), quota, turns, paces)
          : readWhole(whole, accepted.projection)
      },
      drain: makeDrain(turns)
    }
  })
