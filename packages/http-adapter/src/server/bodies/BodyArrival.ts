import type { ByteTurns } from "@community-messaging/event-loop/ByteTurns"
import type { Deadline, Deadlines } from "@community-messaging/event-loop/Deadline"
import {
  JsonReader,
  MAX_DEPTH,
  MAX_NUMBER_LENGTH,
  type RefusalReason
} from "@community-messaging/json-reader/JsonReader"
import type { Projection } from "@community-messaging/json-reader/Projection"
import { Duration, Effect, Either, Fiber, type Option } from "effect"
import type { IncomingMessage } from "node:http"
import { InvalidJson, PayloadTooLarge, RequestTimeout } from "../../wire/ApiError.ts"
import type { ErrorWithHeaders } from "../replies/ErrorMapping.ts"
import type { ApiError } from "../replies/Reply.ts"
import type * as BodyMemory from "./BodyMemory.ts"
import * as ContinueExpectation from "./ContinueExpectation.ts"
import { SmallPieces } from "./SmallPieces.ts"

/**
 * The time in which the pace of a body is measured, and the fewest bytes that arrive in it, unless the body ends. A body that
 * keeps memory of which little is left must be faster, so that a few slow callers cannot keep it from all others.
 */
export const PACE = { window: Duration.seconds(10), bytes: 10 * 1024, bytesIfMemoryIsShort: 1024 * 1024 } as const

/**
 * The work that a piece causes besides its bytes, in bytes to read. Pieces have the sizes of the client's chunks, which may
 * have one byte.
 */
const WORK_OF_PIECE = 64

/** The size of the parts in which a piece is read, in bytes: Node's have up to 64 KiB. */
const PART_BYTES = 8 * 1024

/** The bytes of each body that are read as soon as they arrive. Nearly all bodies are smaller. */
export const READ_AT_ONCE = 16 * 1024

/** The size of one unit of a body, in bytes. The first unit is free: almost all bodies are smaller. */
const UNIT_BYTES = 256 * 1024

/** The units that a body of this size counts. */
const unitsOf = (bytes: number): number => Math.max(0, Math.ceil(bytes / UNIT_BYTES) - 1)

/** Counts units of a body for the principal, before they are read (API gaps, Rate limits). */
export type BodyQuota = (principal: string, units: number) => Effect.Effect<unknown, ErrorWithHeaders>

const partsOf = (piece: Uint8Array): ReadonlyArray<Uint8Array> =>
  piece.length <= PART_BYTES
    ? [piece]
    : Array.from(
      { length: Math.ceil(piece.length / PART_BYTES) },
      (_, part) => piece.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    )

/** The bodies that an endpoint accepts. */
export interface Accepted {
  /** The maximum number of bytes. */
  readonly limit: number
  /** The error message for a form. */
  readonly formAdvice: Option.Option<string>
  readonly projection: Projection
}

export type ArrivalError = ApiError | ErrorWithHeaders

/** The errors for a body whose JSON is refused. */
export const INVALID_JSON: Readonly<Record<RefusalReason, InvalidJson>> = {
  malformed: new InvalidJson(),
  "too deep": new InvalidJson({ message: `The body is nested more than ${MAX_DEPTH} levels deep.` }),
  "number too long": new InvalidJson({
    message: `The body has a number of more than ${MAX_NUMBER_LENGTH} characters.`
  })
}

/** Refuses a body of more than that many bytes. */
export const tooLarge = (limit: number) =>
  Effect.fail(new PayloadTooLarge({ message: `The body is larger than ${limit} bytes.` }))

/** The arrival of one body: its pieces are read in turns with other bodies, and it is answered once, or refused. */
class Arrival {
  readonly #source: IncomingMessage
  readonly #limit: number
  readonly #reader: JsonReader
  readonly #lease: BodyMemory.Lease
  readonly #quota: BodyQuota
  readonly #turns: ByteTurns
  readonly #pace: Deadline
  readonly #answer: (outcome: Effect.Effect<unknown, ArrivalError>) => void
  readonly #small = new SmallPieces()
  #length = 0
  #lengthBefore = 0
  /** The work of all pieces, and of those that got a turn, in bytes to read. */
  #work = 0
  #workDone = 0
  #refusal: ArrivalError | undefined
  /** The units that are counted in the quota: those of the declared length before the body is read. */
  #units: number
  /** The units that are being counted: counters on another machine take milliseconds. */
  readonly #counts: Array<Fiber.Fiber<unknown>> = []
  /** The pieces that wait for their turn. */
  #waiting = 0
  #hasEnded = false
  #isOver = false

  constructor(
    source: IncomingMessage,
    { limit, projection }: Accepted,
    declaredLength: number,
    lease: BodyMemory.Lease,
    quota: BodyQuota,
    turns: ByteTurns,
    paces: Deadlines,
    answer: (outcome: Effect.Effect<unknown, ArrivalError>) => void
  ) {
    this.#source = source
    this.#limit = limit
    this.#reader = new JsonReader(projection)
    this.#units = unitsOf(declaredLength)
    this.#lease = lease
    this.#quota = quota
    this.#turns = turns
    this.#pace = paces(() => this.#continueInPace())
    this.#answer = answer
  }

  begin(): void {
    ContinueExpectation.meet(this.#source)
    this.#pace.begin()
    this.#source.on("data", this.#take)
    this.#source.on("end", this.#end)
    this.#source.on("error", this.#fail)
    this.#source.on("close", this.#fail)
  }

  stop(): void {
    this.#isOver = true
    this.#pace.end()
    this.#source.off("data", this.#take)
    this.#source.off("end", this.#end)
    this.#source.off("error", this.#fail)
    this.#source.off("close", this.#fail)
  }

  readonly #take = (piece: Uint8Array): void => {
    for (const part of partsOf(piece)) {
      this.#length += part.length
      this.#work += part.length + WORK_OF_PIECE
      if (this.#length > this.#limit) return this.#refuse(tooLarge(this.#limit))
      this.#countUnits()
      for (const bytes of this.#small.add(part)) this.#readInTurn(bytes)
    }
  }

  /** Counts the bytes beyond the declared length in the quota. */
  #countUnits(): void {
    const more = unitsOf(this.#length) - this.#units
    if (more <= 0 || this.#refusal !== undefined) return
    this.#units += more
    const count = Effect.catchAll(this.#quota(this.#lease.principal, more), (refusal) =>
      Effect.sync(() => {
        this.#refusal ??= refusal
      }))
    this.#counts.push(Effect.runFork(count))
  }

  readonly #end = (): void => {
    this.#source.off("close", this.#fail)
    // The rest only waits for turns of the server.
    this.#pace.end()
    for (const bytes of this.#small.end()) this.#readInTurn(bytes)
    // A paused body may end: the last piece still waits for its turn.
    this.#hasEnded = true
    if (this.#waiting === 0) this.#finish()
  }

  readonly #fail = (): void => {
    this.stop()
    this.#answer(Effect.fail(new InvalidJson()))
  }

  #refuse(error: Effect.Effect<never, ArrivalError>): void {
    this.stop()
    this.#source.pause()
    this.#answer(error)
  }

  /** Answers with the body, or with the reason why it is refused, when all of its units are counted. */
  #finish(): void {
    this.stop()
    const outcome = Effect.suspend((): Effect.Effect<unknown, ArrivalError> =>
      this.#refusal === undefined
        ? Either.mapLeft(this.#reader.end(), (reason) => INVALID_JSON[reason])
        : Effect.fail(this.#refusal)
    )
    const counted = Effect.forEach(this.#counts, Fiber.join, { discard: true })
    this.#answer(this.#counts.length === 0 ? outcome : Effect.zipRight(counted, outcome))
  }

  #readInTurn(piece: Uint8Array): void {
    if (this.#work <= READ_AT_ONCE) return this.#read(piece)
    this.#waiting += 1
    const work = this.#work - this.#workDone
    this.#workDone = this.#work
    const isRead = this.#turns.run(work, () => {
      if (this.#isOver) return
      this.#read(piece)
      this.#waiting -= 1
      if (this.#waiting > 0) return
      if (this.#hasEnded) this.#finish()
      else this.#source.resume()
    })
    if (!isRead) this.#source.pause()
  }

  /** Reads a piece, or discards it if the body is refused. The response is sent when the body has arrived. */
  #read(piece: Uint8Array): void {
    if (this.#refusal !== undefined) return
    this.#reader.push(piece)
    this.#refusal = this.#lease.growTo(this.#reader.keptBytes)
  }

  /** Begins the next window of the pace if enough arrived in the last one. */
  #continueInPace(): void {
    const arrived = this.#length - this.#lengthBefore
    this.#lengthBefore = this.#length
    if (arrived >= (this.#lease.isMemoryShort() ? PACE.bytesIfMemoryIsShort : PACE.bytes)) this.#pace.begin()
    else this.#refuse(Effect.fail(new RequestTimeout()))
  }
}

/**
 * Reads a body piece by piece. A body that is too large is refused as soon as its bytes exceed the limit. Its units of the
 * rate limit are counted before it is read: by its declared length, or else as it arrives. A body that is too slow is refused
 * at the end of a window. If a body is refused for its memory, its JSON or its units, the rest is read and discarded before
 * the reply, so that the client sees the reply and keeps its connection.
 */
export const arrive = (
  source: IncomingMessage,
  accepted: Accepted,
  declaredLength: number,
  lease: BodyMemory.Lease,
  quota: BodyQuota,
  turns: ByteTurns,
  paces: Deadlines
): Effect.Effect<unknown, ArrivalError> => {
  const read = Effect.async<unknown, ArrivalError>((resume) => {
    if (source.destroyed) return resume(Effect.fail(new InvalidJson()))
    const arrival = new Arrival(source, accepted, declaredLength, lease, quota, turns, paces, resume)
    arrival.begin()
    return Effect.sync(() => arrival.stop())
  })
  const units = unitsOf(declaredLength)
  return units === 0 ? read : Effect.zipRight(quota(lease.principal, units), read)
}
