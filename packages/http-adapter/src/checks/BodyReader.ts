import type { HttpServerRequest } from "@effect/platform"
import { type Chunk, Data, Effect, Option, type Scope, Stream } from "effect"

/** What is left of a body: its next pieces; none at its end. */
export type RestOfBody = Effect.Effect<Option.Option<Chunk.Chunk<Uint8Array>>, BodyBroken>

/** The body has more bytes than are taken. What is left of it was not read. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly rest: RestOfBody }> {}

/** The body broke off. */
export class BodyBroken extends Data.TaggedError("BodyBroken") {}

const concatenate = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

const open = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<RestOfBody, never, Scope.Scope> =>
  Effect.map(
    Stream.toPull(request.stream),
    Effect.matchEffect({
      onSuccess: (pieces) => Effect.succeedSome(pieces),
      onFailure: Option.match({
        onNone: () => Effect.succeedNone,
        onSome: () => Effect.fail(new BodyBroken())
      })
    })
  )

/**
 * All bytes of the body, at most `limit`. A longer one is refused by the length that it declares, or as soon as the bytes
 * read exceed the limit. What is left of it is closed with the scope, the request's.
 */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken, Scope.Scope> =>
  Effect.gen(function*() {
    const rest = yield* open(request)
    if (Number(request.headers["content-length"] ?? 0) > limit) return yield* new BodyTooLarge({ rest })
    const pieces: Array<Uint8Array> = []
    let length = 0
    let next = yield* rest
    while (Option.isSome(next)) {
      for (const piece of next.value) {
        pieces.push(piece)
        length += piece.length
      }
      if (length > limit) return yield* new BodyTooLarge({ rest })
      next = yield* rest
    }
    return concatenate(pieces, length)
  })
