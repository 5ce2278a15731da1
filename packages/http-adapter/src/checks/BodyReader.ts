import { BodyBroken, BodyTooLarge } from "@community-messaging/http-api-node/BodyBytes"
import { NodeRequest } from "@community-messaging/http-api-node/NodeRequest"
import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option, type Scope, Stream } from "effect"

const concatenate = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

/** From the stream that every server has. What is left of it is closed with the scope, the request's. */
const fromStream = (request: HttpServerRequest.HttpServerRequest, limit: number) =>
  Effect.gen(function*() {
    const pull = yield* Stream.toPull(Stream.mapError(request.stream, () => new BodyBroken()))
    const tooLarge = new BodyTooLarge({ rest: Stream.fromPull(Effect.succeed(pull)) })
    if (Number(request.headers["content-length"] ?? 0) > limit) return yield* tooLarge
    const next = Effect.catchAll(
      Effect.asSome(pull),
      Option.match({
        onNone: () => Effect.succeedNone,
        onSome: (broken) => Effect.fail(broken)
      })
    )
    const pieces: Array<Uint8Array> = []
    let length = 0
    let read = yield* next
    while (Option.isSome(read)) {
      for (const piece of read.value) {
        pieces.push(piece)
        length += piece.length
      }
      if (length > limit) return yield* tooLarge
      read = yield* next
    }
    return concatenate(pieces, length)
  })

/**
 * All bytes of the body, at most `limit`. A longer one is refused by the length that it declares, or as soon as the bytes
 * read exceed the limit.
 */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken, Scope.Scope> =>
  request instanceof NodeRequest ? request.bytes(limit) : fromStream(request, limit)
