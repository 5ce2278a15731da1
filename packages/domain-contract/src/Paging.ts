import { Effect, Option } from "effect"

/** The keys on each page of a list, from the first page to the last that is not empty. */
export const pages = <A, K, E, R>(options: {
  readonly page: (
    page: { readonly after: Option.Option<K>; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly key: (item: A) => K
  readonly limit: number
}): Effect.Effect<ReadonlyArray<ReadonlyArray<K>>, E, R> =>
  Effect.gen(function*() {
    const found: Array<ReadonlyArray<K>> = []
    let after = Option.none<K>()
    for (;;) {
      const keys = (yield* options.page({ after, limit: options.limit })).map(options.key)
      const last = keys.at(-1)
      if (last === undefined) return found
      found.push(keys)
      after = Option.some(last)
    }
  })

/** Snowflakes of different lengths, in no order. Their order as text is quite different. */
export const SHUFFLED = ["100", "9223372036854775807", "9", "9223372036854775806", "10", "4194304", "0"] as const

/** The same ids as pages of three, in their order by number. */
export const ORDERED_PAGES = [["0", "9", "10"], ["100", "4194304", "9223372036854775806"], ["9223372036854775807"]]
