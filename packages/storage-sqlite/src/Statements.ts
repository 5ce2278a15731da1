import type { SqlError } from "@effect/sql"
import type { Effect } from "effect"
import type { Transactions } from "./Transactions.ts"

/** A value that SQLite can store. */
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

/** `(?, ?, …)`: a list of values, for `IN`. */
export const listOf = (values: ReadonlyArray<Parameter>): Fragment =>
  new Fragment(`(${values.map(() => "?").join(", ")})`, values)

/**
 * A statement of SQL: it costs little more than the driver does, which keeps it prepared under its text. So the texts must
 * be few: what changes from one call to the next is a parameter.
 */
export type Sql = (
  ...template: Parameters<typeof fragment>
) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/** Statements in the running unit of work, or outside of any. */
export const make = ({ statement }: Transactions): Sql => (...template) => {
  const { parameters, text } = fragment(...template)
  return statement(text, parameters)
}
