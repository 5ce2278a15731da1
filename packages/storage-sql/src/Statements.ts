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

/** The text that a template and the texts of the pieces in it give. */
interface Joined {
  readonly pieces: ReadonlyArray<string>
  readonly text: string
}

/**
 * What each template gave last: nearly always the same text. To join it anew and to find the statement by it would take a
 * microsecond or two, because the hash of a new text is not known.
 */
const joined = new WeakMap<TemplateStringsArray, Joined>()

const join = (strings: TemplateStringsArray, values: ReadonlyArray<Fragment | Parameter>): string => {
  const pieces = values.map((value) => value instanceof Fragment ? value.text : "?")
  const text = strings.map((string, index) => string + (pieces[index] ?? "")).join("")
  joined.set(strings, { pieces, text })
  return text
}

/** A piece of SQL: what is put in is a parameter, or a piece in its turn. */
export const fragment = (
  strings: TemplateStringsArray,
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
 * `(?, ?, …)`, for `IN`: the wanted ones of all values that a column can have. The text does not depend on what is wanted,
 * because each text is prepared and kept.
 */
export const listOf = <A extends Parameter>(wanted: ReadonlyArray<A>, all: ReadonlyArray<A>): Fragment =>
  new Fragment(`(${all.map(() => "?").join(", ")})`, all.map((value) => wanted.includes(value) ? value : null))

/** A statement of SQL. Its text is prepared once, so the texts must be few: what changes between calls is a parameter. */
export type Sql<Result = ReadonlyArray<unknown>> = (
  ...template: Parameters<typeof fragment>
) => Effect.Effect<Result, SqlFailure>

/** Statements that are run in this way. */
export const make = <Result>(
  run: (text: string, parameters: ReadonlyArray<Parameter>) => Effect.Effect<Result, SqlFailure>
): Sql<Result> =>
(...template) => {
  const { parameters, text } = fragment(...template)
  return run(text, parameters)
}
