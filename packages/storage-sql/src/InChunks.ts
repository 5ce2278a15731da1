import * as SideBySide from "@community-messaging/domain/shared-kernel/SideBySide"
import { Array, Effect } from "effect"
import { Fragment } from "./Statements.ts"

/** The number of keys in a statement. The text is the same for fewer keys, so that it is prepared once. */
const CHUNK = 100

const PLACES = `(${Array.makeBy(CHUNK, () => "?").join(", ")})`

/** Looks up any number of keys, each once: `find` gets a list for `IN`. On a network, all statements share one round trip. */
export const inChunks = <A, E, R>(
  keys: ReadonlyArray<string>,
  find: (among: Fragment) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(
    SideBySide.all(
      Array.chunksOf(new Set(keys), CHUNK).map((chunk) =>
        find(new Fragment(PLACES, Array.makeBy(CHUNK, (index) => chunk[index] ?? null)))
      )
    ),
    Array.flatten
  )
