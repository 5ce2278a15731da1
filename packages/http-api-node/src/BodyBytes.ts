import { NodeStream } from "@effect/platform-node"
import { Data, Effect, type Stream } from "effect"
import type { IncomingMessage } from "node:http"

/** The body has more bytes than are taken. `rest` is what of it was not read. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{
  readonly rest: Stream.Stream<Uint8Array, BodyBroken>
}> {}

/** The body broke off. */
export class BodyBroken extends Data.TaggedError("BodyBroken") {}

const restOf = (source: IncomingMessage): Stream.Stream<Uint8Array, BodyBroken> =>
  NodeStream.fromReadable(() => source, () => new BodyBroken())

const tooLarge = (source: IncomingMessage) => Effect.fail(new BodyTooLarge({ rest: restOf(source) }))

/**
 * All bytes of a body, at most `limit`, straight from Node's stream. A longer one is refused by the length that it declares,
 * or as soon as the bytes read exceed the limit.
 */
export const read = (
  source: IncomingMessage,
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge | BodyBroken> => {
  if (Number(source.headers["content-length"] ?? 0) > limit) return tooLarge(source)
  return Effect.async((resume) => {
    if (source.readableEnded) return resume(Effect.succeed(new Uint8Array()))
    if (source.destroyed) return resume(Effect.fail(new BodyBroken()))
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
      resume(tooLarge(source))
    }
    const end = () => {
      stop()
      const [only] = pieces
      resume(Effect.succeed(pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length)))
    }
    const fail = () => {
      stop()
      resume(Effect.fail(new BodyBroken()))
    }

    source.on("data", take)
    source.on("end", end)
    source.on("error", fail)
    source.on("close", fail)
    return Effect.sync(stop)
  })
}
