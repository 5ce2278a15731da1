import { Predicate } from "effect"

/*
 * Converts JSON schemas to TypeScript types, as text. Supports the keywords that the definition uses, and fails on any
 * other that would change the type, so that no type is silently wrong.
 */

const KEYWORDS = new Set([
  "additionalProperties",
  "allOf",
  "anyOf",
  "const",
  "default",
  "deprecated",
  "description",
  "enum",
  "examples",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maximum",
  "minItems",
  "minLength",
  "minimum",
  "oneOf",
  "pattern",
  "properties",
  "required",
  "title",
  "type"
])

const NAMES = new Map([
  ["string", "string"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
  ["null", "null"]
])

const record = (value: unknown): Readonly<Record<string, unknown>> => {
  if (Predicate.isReadonlyRecord(value)) return value
  throw new Error(`Expected an object: ${JSON.stringify(value)}`)
}

const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** A comment with this text; empty without text. */
export const comment = (text: unknown, indent = ""): string =>
  typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n` : ""

/** A name as an object type has it. */
export const propertyName = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

const union = (members: ReadonlyArray<string>): string => Array.from(new Set(members)).join(" | ")

/** The properties of an object, one in a line, between braces. */
export const objectText = (schema: unknown, indent = ""): string => {
  const { properties, required } = record(schema)
  const members = Object.entries(record(properties)).map(([name, property]) => {
    const mark = list(required).includes(name) ? "" : "?"
    const { description } = record(property)
    return `${comment(description, `${indent}  `)}${indent}  readonly ${propertyName(name)}${mark}: ${
      typeText(property, `${indent}  `)
    }\n`
  })
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`
}

const typedText = (name: unknown, schema: Readonly<Record<string, unknown>>, indent: string): string => {
  const { additionalProperties, items, properties } = schema
  if (name === "array") return `ReadonlyArray<${typeText(items, indent)}>`
  if (name === "object") {
    return properties !== undefined && Object.keys(record(properties)).length > 0
      ? objectText(schema, indent)
      : `Readonly<Record<string, ${
        Predicate.isReadonlyRecord(additionalProperties) ? typeText(additionalProperties, indent) : "unknown"
      }>>`
  }
  const text = typeof name === "string" ? NAMES.get(name) : undefined
  if (text === undefined) throw new Error(`Unknown type: ${JSON.stringify(schema)}`)
  return text
}

/** The type of the values that the schema describes. */
export const typeText = (schema: unknown, indent = ""): string => {
  const keywords = record(schema)
  const unknown = Object.keys(keywords).find((name) => !KEYWORDS.has(name) && !name.startsWith("$"))
  if (unknown !== undefined) throw new Error(`Unknown keyword ${unknown}: ${JSON.stringify(schema)}`)
  const { $ref, allOf, anyOf, const: constant, enum: values, oneOf, type } = keywords
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1)
  // A reference beside its own description.
  if (allOf !== undefined) return list(allOf).map((part) => typeText(part, indent)).join(" & ")
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined) return union(list(values).map((value) => JSON.stringify(value)))
  const members = [...list(anyOf), ...list(oneOf)]
  if (members.length > 0) return union(members.map((member) => typeText(member, indent)))
  if (Array.isArray(type)) return union(type.map((name) => typedText(name, keywords, indent)))
  return type === undefined ? "unknown" : typedText(type, keywords, indent)
}

/** The declaration of a named type. */
export const declaration = (name: string, schema: unknown): string => {
  const { description, properties } = record(schema)
  const isObject = properties !== undefined && Object.keys(record(properties)).length > 0
  return `${comment(description)}export ${
    isObject ? `interface ${name} ${objectText(schema)}` : `type ${name} = ${typeText(schema)}`
  }\n`
}
