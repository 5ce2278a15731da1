import type { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { integerText } from "@community-messaging/http-adapter/wire/WireType"
import * as Options from "@effect/cli/Options"
import { Console, Effect, type Schema } from "effect"
import { option } from "./Flags.ts"
import * as Json from "./Json.ts"
import { table } from "./Table.ts"

/** How many entries a list prints by default, and at most. */
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

const limit = option(
  "limit",
  integerText({ minimum: 1, maximum: MAX_LIMIT }),
  `Maximum number of entries to print, 1 to ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}.`
).pipe(Options.withDefault(DEFAULT_LIMIT))

/** The flags of a list in ascending order of these ids. */
export const ascending = <Id extends Snowflake>(id: Schema.Schema<Id, string>) => ({
  after: Options.optional(option("after", id, "An id: begin after it. Default: begin with the smallest.")),
  limit
})

/** The flags of a list of these ids that ends with its newest entry. */
export const newest = <Id extends Snowflake>(id: Schema.Schema<Id, string>) => ({
  before: Options.optional(option("before", id, "An id: end before it. Default: end with the newest.")),
  limit
})

/** One page of a list, and whether there are more entries behind it. */
export interface Page<A> {
  readonly entries: ReadonlyArray<A>
  readonly more: boolean
}

/** Reads a page, and one entry more to find out whether it is the last page. */
export const read = <A, E, R>(
  size: number,
  list: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.Effect<Page<A>, E, R> =>
  Effect.map(list(size + 1), (found) => ({ entries: found.slice(0, size), more: found.length > size }))

/** Prints how to continue after the last entry to the standard error, if there are more. */
export const printContinuation = (more: boolean, last: string | number | undefined) =>
  more && last !== undefined ? Console.error(`There are more: add --after ${last}`) : Effect.void

/** Prints a page as a table, or as one array of JSON. Prints how to continue to the standard error. */
export const print = <A extends { readonly id: string }>({ entries, more }: Page<A>, form: {
  readonly json: boolean
  readonly toJson: (entry: A) => unknown
  readonly columns: ReadonlyArray<string>
  readonly row: (entry: A) => ReadonlyArray<string>
  /** The message for an empty list. */
  readonly empty: string
}) =>
  Effect.gen(function*() {
    if (form.json) yield* Json.print(entries.map(form.toJson))
    else if (entries.length === 0) yield* Console.error(form.empty)
    else yield* Console.log(table([form.columns, ...entries.map(form.row)]))
    yield* printContinuation(more, entries.at(-1)?.id)
  })
