import { CodeHostBody, ErrorTrackerBody } from "@community-messaging/http-adapter/webhooks/Api"
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { at } from "../JsonPath.ts"
import { errorsOf } from "../JsonSchemaCheck.ts"
import * as PublishedDocument from "../PublishedDocument.ts"
import { examples, HOSTS } from "./CodeHostExamples.ts"

const published = (name: string): unknown => PublishedDocument.resolve(`#/components/schemas/${name}`)

const problems = (name: string, body: unknown): ReadonlyArray<string> => errorsOf(published(name), body)

const listOf = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

const propertiesOf = (schema: unknown): ReadonlyArray<readonly [name: string, schema: unknown]> =>
  Object.entries(at(schema, "properties") ?? {})

const SAMPLES: { readonly [type: string]: unknown } = { string: "x", integer: 1, boolean: true }

/** The first alternative of a schema, or the schema itself if it has none. */
const chosen = (schema: unknown): unknown => {
  const reference = at(schema, "$ref")
  if (typeof reference === "string") return chosen(PublishedDocument.resolve(reference))
  const [first] = listOf(at(schema, "anyOf"))
  return first === undefined ? schema : chosen(first)
}

const typeOf = (schema: unknown): unknown => listOf(at(schema, "type"))[0] ?? at(schema, "type")

/** A value of the schema with every member. */
const complete = (schema: unknown): unknown => {
  const single = chosen(schema)
  switch (typeOf(single)) {
    case "object":
      return Object.fromEntries(propertiesOf(single).map(([name, member]) => [name, complete(member)]))
    case "array":
      return [complete(at(single, "items"))]
    default:
      return SAMPLES[String(typeOf(single))]
  }
}

/** Matches a list that contains these items. */
const including = (items: ReadonlyArray<unknown>): unknown => expect.arrayContaining([...items])

interface Variant {
  readonly path: string
  readonly value: unknown
}

/** The complete value with one optional member at a time as null, at every depth. */
const nullings = (schema: unknown): ReadonlyArray<Variant> => {
  const single = chosen(schema)
  if (typeOf(single) === "array") {
    return nullings(at(single, "items")).map(({ path, value }) => ({ path: `.0${path}`, value: [value] }))
  }
  const whole = Object.entries(complete(single) ?? {})
  const withMember = (name: string, value: unknown) => Object.fromEntries([...whole, [name, value]])
  const required = listOf(at(single, "required"))
  return propertiesOf(single).flatMap(([name, member]) => [
    ...(required.includes(name) ? [] : [{ path: `.${name}`, value: withMember(name, null) }]),
    ...nullings(member).map(({ path, value }) => ({ path: `.${name}${path}`, value: withMember(name, value) }))
  ])
}

const takenBy = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (body: unknown): boolean => Either.isRight(decode(body))
}

describe.each([
  {
    name: "CodeHostNotification",
    isTaken: takenBy(CodeHostBody),
    some: [".issue.state_reason", ".comment.path", ".release.name", ".commits.0.author.username", ".action"]
  },
  {
    name: "ErrorTrackerNotification",
    isTaken: takenBy(ErrorTrackerBody),
    some: [".data.issue.assignedTo", ".data.issue.project.slug", ".action"]
  }
])("the published $name", ({ isTaken, name, some }) => {
  const variants = nullings(published(name))

  it("has optional members, at every depth", () => {
    expect(variants.map(({ path }) => path)).toEqual(including(some))
  })

  it("allows null for every optional member", () => {
    expect(variants.flatMap(({ value }) => problems(name, value))).toEqual([])
  })

  it("is accepted with null for every optional member", () => {
    const refused = variants.filter(({ value }) => !isTaken(value))
    expect(refused.map(({ path }) => path)).toEqual([])
  })

  it("still reports members of a wrong type", () => {
    const whole = complete(published(name))
    expect(problems(name, whole)).toEqual([])
    expect(problems(name, Object.fromEntries([...Object.entries(whole ?? {}), ["action", 1]]))).toHaveLength(1)
  })
})

describe.each(HOSTS)("the notifications that %s documents", (host) => {
  it("match the published schema, if they have a sender", () => {
    const sent = examples(host).filter(({ body }) => "sender" in body)
    expect(sent.flatMap(({ body }) => problems("CodeHostNotification", body))).toEqual([])
  })
})
