/*
 * A small validator of JSON Schema (2020-12), for the keywords in the OpenAPI document. It is independent of the code that
 * makes the document.
 */

type JsonObject = { readonly [key: string]: unknown }

/** The options of a check. */
export interface Checking {
  /** Resolves a `$ref`. */
  readonly resolve: (reference: string) => unknown
  /** Members that a schema does not list: wrong in responses (stricter than the standard), and ignored in requests. */
  readonly unlisted: "wrong" | "ignored"
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const isOfType = (type: string, value: unknown): boolean => {
  switch (type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return isObject(value)
    case "integer":
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const FORMATS: { readonly [format: string]: (value: string) => boolean } = {
  "date-time": (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  snowflake: (value) => /^(0|[1-9]\d*)$/.test(value)
}

const scalarErrors = (schema: JsonObject, value: unknown, at: string): ReadonlyArray<string> => {
  const errors: Array<string> = []
  const { enum: values, format, maximum, minimum, pattern, type } = schema
  const types = Array.isArray(type) ? type.map(String) : [type].filter((single) => typeof single === "string")
  if (types.length > 0 && !types.some((each) => isOfType(each, value))) {
    return [`${at} is not of type ${types.join(" or ")}`]
  }
  if (values !== undefined && !listOf(values).includes(value)) {
    errors.push(`${at} is none of ${listOf(values).join(", ")}`)
  }
  if (typeof pattern === "string" && typeof value === "string" && !new RegExp(pattern, "u").test(value)) {
    errors.push(`${at} does not match ${pattern}`)
  }
  if (typeof format === "string" && typeof value === "string" && FORMATS[format]?.(value) === false) {
    errors.push(`${at} is no ${format}`)
  }
  if (typeof minimum === "number" && typeof value === "number" && value < minimum) errors.push(`${at} < ${minimum}`)
  if (typeof maximum === "number" && typeof value === "number" && value > maximum) errors.push(`${at} > ${maximum}`)
  return errors
}

const memberErrors = (schema: JsonObject, value: unknown, at: string, checking: Checking): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => errorsOf(schema["items"] ?? {}, item, `${at}.${index}`, checking))
  }
  const properties = schema["properties"]
  if (!isObject(value) || !isObject(properties)) return []
  return [
    ...listOf(schema["required"]).map(String).filter((name) => !Object.hasOwn(value, name)).map((name) =>
      `${at}.${name} is missing`
    ),
    ...Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(properties, name)
        ? errorsOf(properties[name], member, `${at}.${name}`, checking)
        : isObject(schema["additionalProperties"])
        ? errorsOf(schema["additionalProperties"], member, `${at}.${name}`, checking)
        : checking.unlisted === "wrong"
        ? [`${at}.${name} is not listed`]
        : []
    )
  ]
}

const anyOfErrors = (schema: JsonObject, value: unknown, at: string, checking: Checking): ReadonlyArray<string> => {
  if (schema["anyOf"] === undefined) return []
  const tries = listOf(schema["anyOf"]).map((member) => errorsOf(member, value, at, checking))
  return tries.some((errors) => errors.length === 0) ? [] : [`${at} fits none: ${tries.flat().join("; ")}`]
}

/** The violations of the schema by the value. */
export const errorsOf = (schema: unknown, value: unknown, at: string, checking: Checking): ReadonlyArray<string> => {
  if (!isObject(schema)) return [`${at} has no schema`]
  if (typeof schema["$ref"] === "string") return errorsOf(checking.resolve(schema["$ref"]), value, at, checking)
  return [
    ...scalarErrors(schema, value, at),
    ...memberErrors(schema, value, at, checking),
    ...anyOfErrors(schema, value, at, checking),
    ...listOf(schema["allOf"]).flatMap((part) => errorsOf(part, value, at, checking))
  ]
}
