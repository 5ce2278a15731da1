import { Array, Effect } from "effect"
import { Fragment } from "./Statements.ts"

/** How many keys a statement looks up. Its text does not depend on how many are wanted, so that it is prepared once. */
const CHUNK = 100

const PLACES = `(${Array.makeBy(CHUNK, () => "?").join(", ")})`

/** Looks up any number of keys: `find` gets a list for `IN`. Where there are round trips, all statements share one. */
export const inChunks = <A, E, R>(
  keys: ReadonlyArray<string>,
  find: (among: Fragment) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(
    Effect.forEach(
      Array.chunksOf(keys, CHUNK),
      (chunk) => find(new Fragment(PLACES, Array.makeBy(CHUNK, (index) => chunk[index] ?? null))),
      { concurrency: "unbounded" }
    ),
    Array.flatten
  )
