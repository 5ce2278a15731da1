import type { Effect } from "effect"
import type { SqlFailure } from "./SqlFailure.ts"

/** A value that a database can store. */
export type Parameter = string | number | null | Uint8Array

/** A piece of SQL, with the values for its question marks. */
export class Fragment {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>

  constructor(text: string, parameters: ReadonlyArray<Parameter> = []) {
    this.text = text
    this.parameters = parameters
  }
}

/** The text of a template with the texts of its pieces. */
interface Joined {
  readonly pieces: ReadonlyArray<string>
  readonly text: string
}

/**
 * The last text of each template, which is nearly always the same. To join the text again, and to find the prepared
 * statement by a string without a cached hash, would take a microsecond or two.
 */
const joined = new WeakMap<ReadonlyArray<string>, Joined>()

const join = (strings: ReadonlyArray<string>, values: ReadonlyArray<Fragment | Parameter>): string => {
  const pieces = values.map((value) => value instanceof Fragment ? value.text : "?")
  const text = strings.map((string, index) => string + (pieces[index] ?? "")).join("")
  joined.set(strings, { pieces, text })
  return text
}

/** A piece of SQL. Each value in the template is a parameter, or another piece. */
export const fragment = (
  strings: ReadonlyArray<string>,
  ...values: ReadonlyArray<Fragment | Parameter>
): Fragment => {
  const known = joined.get(strings)
  let isKnown = known !== undefined
  const parameters: Array<Parameter> = []
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null
    if (value instanceof Fragment) {
      isKnown &&= known?.pieces[index] === value.text
      for (const parameter of value.parameters) parameters.push(parameter)
    } else {
      isKnown &&= known?.pieces[index] === "?"
      parameters.push(value)
    }
  }
  return new Fragment(known !== undefined && isKnown ? known.text : join(strings, values), parameters)
}

/**
 * `(?, ?, …)`, for `IN`: the wanted values, of all values that the column can have. The text is the same for any wanted
 * values, because each text is prepared and cached.
 */
export const listOf = <A extends Parameter>(wanted: ReadonlyArray<A>, all: ReadonlyArray<A>): Fragment =>
  new Fragment(`(${all.map(() => "?").join(", ")})`, all.map((value) => wanted.includes(value) ? value : null))

/** A statement of SQL. Each text is prepared once, so texts must be few: values that change are parameters. */
export type Sql<Result = ReadonlyArray<unknown>> = (
  ...template: Parameters<typeof fragment>
) => Effect.Effect<Result, SqlFailure>

/** Makes statements that `run` runs. */
export const make = <Result>(
  run: (text: string, parameters: ReadonlyArray<Parameter>) => Effect.Effect<Result, SqlFailure>
): Sql<Result> =>
(...template) => {
  const { parameters, text } = fragment(...template)
  return run(text, parameters)
}
