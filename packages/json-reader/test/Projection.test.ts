import { counted, WHOLE } from "@community-messaging/json-reader/Excerpt"
import { JsonReader } from "@community-messaging/json-reader/JsonReader"
import * as Projection from "@community-messaging/json-reader/Projection"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"

const read = (projection: Projection.Projection, json: string): unknown => {
  const reader = new JsonReader(projection)
  reader.push(Buffer.from(json))
  return Either.getOrThrow(reader.end())
}

const OwnLengthId: unique symbol = Symbol.for("OwnLength")

describe("A text with a maximum length", () => {
  const long = JSON.stringify("x".repeat(100))

  it("is cut after the code units of one code point more, so that the schema finds it too long", () => {
    expect(read(Projection.of(Schema.String.pipe(Schema.maxLength(3))), long)).toBe("x".repeat(8))
  })

  it("may have it by another refinement", () => {
    const text = Schema.String.pipe(
      Schema.filter((value) => value.length <= 4, { schemaId: OwnLengthId, jsonSchema: { maxLength: 4 } })
    )
    expect(read(Projection.of(text, { maxLengthSchemaId: OwnLengthId }), long)).toBe("x".repeat(10))
    expect(read(Projection.of(text), long)).toBe("x".repeat(100))
  })
})

describe("An array without a maximum of items", () => {
  it("is read in part where an excerpt is enough, with its total", () => {
    const schema = counted(Schema.Number)
    const projection = Projection.of(schema, { excerpt: { ...WHOLE, items: 2 } })
    expect(Schema.decodeUnknownSync(schema)(read(projection, "[1,2,3,4]"))).toEqual({ first: [1, 2], total: 4 })
  })

  it("is refused where no excerpt is enough, before anything is read", () => {
    expect(() => Projection.of(Schema.Array(Schema.Number))).toThrow("An array that is read needs a maximum of items")
  })
})

describe("A schema", () => {
  it("is refused if it does not name the members of an object, or cannot be JSON", () => {
    expect(() => Projection.of(Schema.Record({ key: Schema.String, value: Schema.Number })))
      .toThrow("An object that is read must name its members")
    expect(() => Projection.of(Schema.BigIntFromSelf)).toThrow("JSON that is read cannot have a BigIntKeyword")
  })

  it("that accepts any value keeps no text, or what an alternative of it reads", () => {
    const presented = Schema.Union(Schema.Struct({ a: Schema.String }), Schema.Unknown)
    expect(read(Projection.of(presented), `{"a":"b","c":1}`)).toEqual({ a: "b" })
    expect(read(Projection.of(Schema.Unknown), `"text"`)).toBe("")
  })
})
