import type { Effect } from "effect"
import type { SqlFailure } from "./SqlFailure.ts"
import type { Run } from "./Units.ts"

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

/** A piece of SQL: what is put in is a parameter, or a piece in its turn. */
export const fragment = (
  strings: TemplateStringsArray,
  ...values: ReadonlyArray<Fragment | Parameter>
): Fragment => {
  let text = strings[0] ?? ""
  const parameters: Array<Parameter> = []
  for (const [index, value] of values.entries()) {
    if (value instanceof Fragment) {
      text += value.text
      parameters.push(...value.parameters)
    } else {
      text += "?"
      parameters.push(value)
    }
    text += strings[index + 1] ?? ""
  }
  return new Fragment(text, parameters)
}

/**
 * `(?, ?, …)`, for `IN`: the wanted ones of all values that a column can have. The text does not depend on what is wanted,
 * because each text is prepared and kept.
 */
export const listOf = <A extends Parameter>(wanted: ReadonlyArray<A>, all: ReadonlyArray<A>): Fragment =>
  new Fragment(`(${all.map(() => "?").join(", ")})`, all.map((value) => wanted.includes(value) ? value : null))

/** A statement of SQL. Its text is prepared once, so the texts must be few: what changes between calls is a parameter. */
export type Sql = (
  ...template: Parameters<typeof fragment>
) => Effect.Effect<ReadonlyArray<unknown>, SqlFailure>

/** Statements in the running unit of work; outside they read what is committed. */
export const make = (run: Run): Sql => (...template) => {
  const { parameters, text } = fragment(...template)
  return run(text, parameters)
}
