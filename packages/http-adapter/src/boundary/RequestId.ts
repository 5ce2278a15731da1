import { Effect, Random } from "effect"

/** An identifier that a client may give its request: anything else is not taken over (decisions, 1). */
const SANE = /^[A-Za-z0-9._-]{1,128}$/

/** Names a request: by what its `X-Request-Id` says, if that is sane. */
export type RequestIds = (presented: string | undefined) => string

/** Names that differ among all requests to this process, and very likely among processes. */
export const make: Effect.Effect<RequestIds> = Effect.map(
  Effect.all([Random.nextIntBetween(0, 2 ** 32), Random.nextIntBetween(0, 2 ** 32)]),
  (words) => {
    const process = words.map((word) => word.toString(36).padStart(7, "0")).join("")
    let count = 0
    return (presented) => {
      if (presented !== undefined && SANE.test(presented)) return presented
      count += 1
      return `${process}-${count.toString(36)}`
    }
  }
)
