import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { at } from "./JsonPath.ts"
import { published } from "./PublishedDocument.ts"

const ajv = new Ajv2020({
  strict: false,
  formats: {
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
    snowflake: /^(0|[1-9]\d*)$/,
    email: true,
    int32: true,
    int64: true
  }
})

/** The schema, which allows no members that it does not list. */
const closed = (schema: unknown): unknown => {
  if (typeof schema !== "object" || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  return "properties" in parts ? { additionalProperties: false, ...parts } : parts
}

/** Makes the check of values against schemas of the OpenAPI document, each compiled once. Returns the violations. */
const checking = (prepare: (schema: unknown) => unknown) => {
  const components = prepare(at(published, "components"))
  const compiled = new Map<unknown, ValidateFunction>()
  return (schema: unknown, value: unknown): ReadonlyArray<string> => {
    const prepared = prepare(schema)
    const check = compiled.get(schema) ??
      ajv.compile({ ...(typeof prepared === "object" ? prepared : { not: {} }), components })
    compiled.set(schema, check)
    return check(value) ? [] : [ajv.errorsText(check.errors)]
  }
}

/** The violations of a schema of the OpenAPI document by the value. Members that the schema does not list are ignored. */
export const errorsOf = checking((schema) => schema)

/** The same, but members that the schema does not list are violations: stricter than the standard. */
export const errorsOfClosed = checking(closed)
