import { Effect, Random } from "effect"

/** A valid id that a client gives its request. An invalid one is replaced (API gaps, Wire conventions). */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the id of a request: its `X-Request-Id` if that is valid, else a new id, unique across processes. */
export const make = Effect.map(
  Effect.all([Random.nextIntBetween(0, 2 ** 32), Random.nextIntBetween(0, 2 ** 32)]),
  (words) => {
    const process = words.map((word) => word.toString(36).padStart(7, "0")).join("")
    let count = 0
    return (presented: string | undefined): string => {
      if (presented !== undefined && VALID_REQUEST_ID.test(presented)) return presented
      count += 1
      return `${process}-${count.toString(36)}`
    }
  }
)
