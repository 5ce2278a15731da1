import { Duration, Effect, Either, Option, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidJson, PayloadTooLarge, RequestTimeout, UnsupportedMediaType } from "../wire/ApiError.ts"
import * as BodyMemory from "./BodyMemory.ts"
import { BodyTurns } from "./BodyTurns.ts"
import * as Deadline from "./Deadline.ts"
import type { ErrorWithHeaders } from "./ErrorMapping.ts"
import { JsonReader } from "./JsonReader.ts"
import * as MediaType from "./MediaType.ts"
import type { Projection } from "./Projection.ts"

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

/** The time in which the pace of a body is measured, and the fewest bytes that arrive in it, unless the body ends. */
const PACE = { window: Duration.seconds(10), bytes: 10 * 1024 } as const

/** Which bodies an endpoint takes. */
export interface Accepted {
  /** The maximum number of bytes. */
  readonly limit: number
  /** The error message for a form. */
  readonly formAdvice: Option.Option<string>
  readonly projection: Projection
}

type BodyError = InvalidJson | PayloadTooLarge | RequestTimeout | UnsupportedMediaType | ErrorWithHeaders

/** One body that arrives. */
class Arrival {
  readonly reader: JsonReader
  #length = 0
  #lengthBefore = 0
  #refusal: ErrorWithHeaders | undefined
  readonly #lease: BodyMemory.Lease
  readonly #limit: number

  constructor({ limit, projection }: Accepted, lease: BodyMemory.Lease) {
    this.reader = new JsonReader(projection)
    this.#limit = limit
    this.#lease = lease
  }

  /** Counts a piece, before it is read. */
  count(piece: Uint8Array): void {
    this.#length += piece.length
  }

  get isTooLarge(): boolean {
    return this.#length > this.#limit
  }

  get isLarge(): boolean {
    return this.#length > BodyMemory.UNCOUNTED
  }

  /** Reads a piece, or forgets it if the body is refused. The response is sent when the body has arrived. */
  read(piece: Uint8Array): void {
    if (this.#refusal !== undefined) return
    this.reader.push(piece)
    this.#refusal = this.#lease.growTo(this.reader.keptBytes)
  }

  /** Begins the next window of the pace. Returns whether enough arrived in the last one. */
  isInPace(): boolean {
    const arrived = this.#length - this.#lengthBefore
    this.#lengthBefore = this.#length
    return arrived >= PACE.bytes
  }

  end(): Either.Either<unknown, InvalidJson | ErrorWithHeaders> {
    return this.#refusal === undefined ? this.reader.end() : Either.left(this.#refusal)
  }
}

/** Reads the bodies of requests. */
export interface Bodies {
  /** The memory of one body of the principal. Its owner releases it with the reply. */
  readonly lease: (principal: string) => BodyMemory.Lease
  /**
   * Reads the projection of a JSON body as it arrives. A body that is too large is refused by the length that it declares,
   * or as soon as the bytes exceed the limit, and one that arrives too slowly at the end of a window.
   */
  readonly read: (
    source: IncomingMessage,
    accepted: Accepted,
    lease: BodyMemory.Lease
  ) => Effect.Effect<unknown, BodyError>
}

const arrive = (
  source: IncomingMessage,
  accepted: Accepted,
  lease: BodyMemory.Lease,
  turns: BodyTurns,
  pace: Deadline.Deadline
): Effect.Effect<unknown, BodyError> => {
  const tooLarge = () =>
    Effect.fail(new PayloadTooLarge({ message: `The body is larger than ${accepted.limit} bytes.` }))
  if (Number(source.headers["content-length"] ?? 0) > accepted.limit) return tooLarge()
  return Effect.async((resume) => {
    if (source.readableEnded || source.destroyed) return resume(Effect.fail(new InvalidJson()))
    const arrival = new Arrival(accepted, lease)

    let waiting = 0
    let hasEnded = false
    let isOver = false

    const stop = () => {
      isOver = true
      pace.end()
      source.off("data", take)
      source.off("end", end)
      source.off("error", fail)
      source.off("close", fail)
    }
    const refuse = (error: Effect.Effect<never, BodyError>) => {
      stop()
      source.pause()
      resume(error)
    }
    const finish = () => {
      stop()
      resume(arrival.end())
    }
    const take = (piece: Uint8Array) => {
      arrival.count(piece)
      if (arrival.isTooLarge) return refuse(tooLarge())
      if (!arrival.isLarge) return arrival.read(piece)
      waiting += 1
      const isRead = turns.run(piece.length, () => {
        if (isOver) return
        arrival.read(piece)
        waiting -= 1
        if (waiting > 0) return
        if (hasEnded) finish()
        else source.resume()
      })
      if (!isRead) source.pause()
    }
    const end = () => {
      // A paused body may end: the last piece still waits for its turn.
      hasEnded = true
      source.off("close", fail)
      if (waiting === 0) finish()
    }
    const fail = () => {
      stop()
      resume(Effect.fail(new InvalidJson()))
    }
    const watch = () =>
      pace.begin(() => {
        if (arrival.isInPace()) return watch()
        refuse(Effect.fail(new RequestTimeout()))
      })

    watch()
    source.on("data", take)
    source.on("end", end)
    source.on("error", fail)
    source.on("close", fail)
    return Effect.sync(stop)
  })
}

/** Makes what reads all bodies of a server. */
export const make = (limits: BodyMemory.Limits): Effect.Effect<Bodies, never, Scope.Scope> =>
  Effect.map(Deadline.make(PACE.window), (paces) => {
    const memory = new BodyMemory.BodyMemory(limits)
    const turns = new BodyTurns(setImmediate)
    return {
      lease: (principal) => memory.lease(principal),
      read: (source, accepted, lease) =>
        Effect.zipRight(
          requireJson(source, accepted.formAdvice),
          Effect.suspend(() => arrive(source, accepted, lease, turns, paces()))
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
