import { describe, expect, it } from "vitest"
import { at } from "../JsonPath.ts"
import { errorsOfClosed } from "../JsonSchemaCheck.ts"
import { entriesOf, operations, published, resolve } from "../PublishedDocument.ts"

interface Content {
  readonly at: string
  readonly mediaType: unknown
}

const contentsOf = (at_: string, holder: unknown): ReadonlyArray<Content> =>
  entriesOf(at(holder, "content")).map(([type, mediaType]) => ({ at: `${at_} ${type}`, mediaType }))

/** The content of every request and of every response. */
const contents = operations.flatMap(({ name, operation }) => [
  ...contentsOf(name, at(operation, "requestBody")),
  ...entriesOf(at(operation, "responses")).flatMap(([status, response]) => contentsOf(`${name} ${status}`, response))
])

const examplesOf = (mediaType: unknown): ReadonlyArray<readonly [string, unknown]> => [
  ...(at(mediaType, "example") === undefined ? [] : [["example", at(mediaType, "example")] as const]),
  ...entriesOf(at(mediaType, "examples")).map(([name, example]) => [name, at(example, "value")] as const)
]

/** Every property of every schema, with its place. */
const propertiesIn = (value: unknown, place: string): ReadonlyArray<readonly [string, unknown]> =>
  entriesOf(value).flatMap(([key, member]) => {
    if (key === "example" || key === "examples") return []
    const properties = key === "properties" && at(value, "type") !== undefined ? entriesOf(member) : []
    return [
      ...properties.map(([name, schema]) => [`${place}.${name}`, schema] as const),
      ...propertiesIn(member, `${place}/${key}`)
    ]
  })

const isDescribed = (schema: unknown): boolean => {
  const reference = at(schema, "$ref")
  return typeof at(schema, "description") === "string" ||
    (typeof reference === "string" && typeof at(resolve(reference), "description") === "string")
}

describe("The OpenAPI document", () => {
  it("describes every property, every parameter, every header and every component", () => {
    const properties = propertiesIn(published, "")
    expect(properties.length).toBeGreaterThan(350)
    const parameters = operations.flatMap(({ name, operation }) =>
      entriesOf(at(operation, "parameters")).map(([, parameter]) =>
        [`${name} ${String(at(parameter, "name"))}`, parameter] as const
      )
    )
    const components = ["schemas", "headers", "securitySchemes"].flatMap((kind) =>
      entriesOf(at(published, "components", kind))
    )
    const tags = entriesOf(at(published, "tags"))
    const everything = [...properties, ...parameters, ...components, ...tags]
    expect(everything.filter(([, described]) => !isDescribed(described)).map(([place]) => place)).toEqual([])
  })

  it("has an example of every request, every response and every error", () => {
    const without = contents.filter(({ mediaType }) => examplesOf(mediaType).length === 0)
    expect(without.map((content) => content.at)).toEqual([])
    const errors = contents.flatMap(({ mediaType }) => entriesOf(at(mediaType, "examples")).map(([code]) => code))
    const documented = operations.flatMap(({ operation }) =>
      entriesOf(at(operation, "responses")).flatMap(([, response]) =>
        Array.from(String(at(response, "description")).matchAll(/`([A-Z_]+)`: /g), ([, code]) => code ?? "")
      )
    )
    expect(errors).toEqual(documented)
    expect(new Set(errors).size).toBeGreaterThan(18)
  })

  it("has an example of every parameter of a path, which its schema allows", () => {
    const parameters = operations.flatMap(({ operation }) => entriesOf(at(operation, "parameters"))).map(([, each]) =>
      each
    )
    const examples = parameters.filter((parameter) => at(parameter, "example") !== undefined)
    expect(examples.length).toBeGreaterThan(12)
    expect(parameters.filter((each) => at(each, "in") === "path" && !examples.includes(each))).toEqual([])
    expect(
      examples.flatMap((each) => errorsOfClosed(at(each, "schema"), at(each, "example")))
    ).toEqual([])
  })
})
