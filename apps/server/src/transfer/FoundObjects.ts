import { Array, Effect, Option } from "effect"

/** The maximum number of cached objects. They take some megabytes. */
const MAX_OBJECTS = 10_000

/** Looks objects up by key, and caches those that exist. */
export interface FoundObjects<Key, Value, E> {
  readonly find: (key: Key) => Effect.Effect<Option.Option<Value>, E>
  /** Looks these up at once, so that finding one of them takes no round trip. */
  readonly prefetch: (keys: ReadonlyArray<Key>) => Effect.Effect<void, E>
  readonly forget: (key: Key) => void
  readonly forgetAll: () => void
}

/** Makes a cache of the results of these functions. */
export const make = <Key, Value, E>(
  lookUp: (key: Key) => Effect.Effect<Option.Option<Value>, E>,
  lookUpAll: (keys: ReadonlyArray<Key>) => Effect.Effect<ReadonlyMap<Key, Value>, E> = () => Effect.succeed(new Map())
): FoundObjects<Key, Value, E> => {
  const known = new Map<Key, Option.Option<Value>>()
  const remember = (key: Key, found: Option.Option<Value>): Option.Option<Value> => {
    if (Option.isNone(found)) return found
    if (known.size >= MAX_OBJECTS) known.clear()
    known.set(key, found)
    return found
  }
  return {
    find: (key) => {
      const found = known.get(key)
      return found === undefined
        ? Effect.map(lookUp(key), (answer) => remember(key, answer))
        : Effect.succeed(found)
    },
    prefetch: (keys) =>
      Effect.map(lookUpAll(Array.dedupe(keys.filter((key) => !known.has(key)))), (found) => {
        for (const [key, value] of found) remember(key, Option.some(value))
      }),
    forget: (key) => {
      known.delete(key)
    },
    forgetAll: () => known.clear()
  }
}
