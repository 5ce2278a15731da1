import { totalOf, WHOLE } from "@community-messaging/json-reader/Excerpt"
import { JsonReader, MAX_DEPTH, MAX_NUMBER_LENGTH } from "@community-messaging/json-reader/JsonReader"
import * as Projection from "@community-messaging/json-reader/Projection"
import { Either, FastCheck, Predicate, Schema } from "effect"
import { describe, expect, it } from "vitest"

const encoder = new TextEncoder()

/** Pieces of the body, of the lengths in turn. */
const piecesOf = (body: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let at = 0
  for (let index = 0; at < body.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1
    pieces.push(body.subarray(at, at + length))
    at += length
  }
  return pieces
}

const readBy = (projection: Projection.Projection, pieces: ReadonlyArray<Uint8Array>) => {
  const reader = new JsonReader(projection)
  for (const piece of pieces) reader.push(piece)
  return { reader, result: reader.end() }
}

const Leaf = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Inner = Schema.Struct({
  a: optional(Leaf),
  b: optional(Leaf),
  "ü🦊": optional(Leaf)
})

/** A schema with the names of random bodies, and other names. */
const Sample = Schema.Struct({
  a: optional(Leaf),
  b: optional(Schema.Array(Schema.Union(Leaf, Inner)).pipe(Schema.maxItems(3))),
  "ü🦊": optional(Inner),
  long_name: optional(Schema.Array(Schema.Array(Leaf).pipe(Schema.maxItems(1))).pipe(Schema.maxItems(2)))
})

const PROJECTION = Projection.of(Sample)

/** The projection of a value. */
const projected = (value: unknown, projection: Projection.Projection): unknown => {
  if (Predicate.isString(value)) return projection.maxTextLength === 0 ? "" : value
  if (Array.isArray(value)) {
    const { items } = projection
    return items === undefined ? [] : value.slice(0, items.limit).map((item) => projected(item, items.each))
  }
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const known = projection.membersByLength.flat().find((kept) => kept.name === name)?.projection
      return known === undefined ? [] : [[name, projected(member, known)]]
    })
  )
}

const names = FastCheck.constantFrom("a", "b", "c", "ü🦊", "long_name", "__proto__", "\"\\\n")

const text = FastCheck.string({
  unit: FastCheck.constantFrom("a", "ü", "€", "🦊", "\"", "\\", "/", "\n", "\u0001", "\u007f", "\ufeff")
})

const values: FastCheck.Arbitrary<unknown> = FastCheck.letrec((tie) => ({
  leaf: FastCheck.oneof(
    text,
    FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
    FastCheck.integer(),
    FastCheck.boolean(),
    FastCheck.constant(null)
  ),
  value: FastCheck.oneof({ maxDepth: 4 }, tie("leaf"), FastCheck.array(tie("value"), { maxLength: 5 }), tie("object")),
  object: FastCheck.dictionary(names, tie("value"), { maxKeys: 5 })
})).object

/** JSON of the value, with every other character of its strings escaped, and white space. */
const jsonOf = (value: unknown, isEscaped: boolean): string => {
  const json = JSON.stringify(value, null, isEscaped ? "\t \r" : "")
  return isEscaped
    ? json.replace(
      /[ü€🦊/a]/gu,
      (character) =>
        Array.from(
          { length: character.length },
          (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`
        ).join("")
    )
    : json
}

const lengths = FastCheck.array(FastCheck.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

describe("JSON that is read as it arrives", () => {
  it("is the projection of the result of JSON.parse, wherever its pieces end", () => {
    FastCheck.assert(
      FastCheck.property(values, FastCheck.boolean(), lengths, (value, isEscaped, sizes) => {
        // Escapes of "a" also change the literals.
        const json = jsonOf(value, false)
        const escaped = isEscaped ? jsonOf(value, true).replace(/f\\u0061lse/g, "false") : json
        const expected = projected(JSON.parse(json), PROJECTION)
        const { result } = readBy(PROJECTION, piecesOf(encoder.encode(escaped), sizes))
        expect(result).toEqual(Either.right(expected))
      }),
      { numRuns: 2_000 }
    )
  })

  it("is refused exactly if JSON.parse refuses it, wherever its pieces end", () => {
    const characters = FastCheck.constantFrom(
      ..."[]{}:,\"\\u0a1-+.eE \ntrfalsn",
      "true",
      "null",
      "\"a\"",
      "\"a\":",
      "12",
      "ü"
    )
    const texts = FastCheck.oneof(
      FastCheck.array(characters, { maxLength: 12 }).map((parts) => parts.join("")),
      // One character of valid JSON is replaced.
      FastCheck.tuple(values, FastCheck.nat(), characters).map(([value, at, character]) => {
        const json = JSON.stringify(value)
        return json.slice(0, at % json.length) + character + json.slice(at % json.length + 1)
      })
    )
    FastCheck.assert(
      FastCheck.property(texts, lengths, (json, sizes) => {
        const bytes = encoder.encode(json)
        const isValid = Either.isRight(Either.try((): unknown => JSON.parse(json)))
        for (const projection of [PROJECTION, Projection.of(Schema.String)]) {
          const { result } = readBy(projection, piecesOf(bytes, sizes))
          expect({ json, isValid: Either.isRight(result) }).toEqual({ json, isValid })
        }
      }),
      { numRuns: 5_000 }
    )
  })

  it("is refused if it is not UTF-8, wherever its pieces end", () => {
    const invalid = [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0xa6], [0xc0, 0x80]]
    for (const bytes of invalid) {
      for (const name of ["a", "other"]) {
        const body = Uint8Array.of(...encoder.encode(`{"${name}":"`), ...bytes, ...encoder.encode(`"}`))
        for (const size of [1, 2, 3, 100]) {
          expect(readBy(PROJECTION, piecesOf(body, [size])).result).toEqual(Either.left("malformed"))
        }
      }
    }
  })

  it("may begin with one byte order mark", () => {
    for (const size of [1, 2, 3, 100]) {
      const read = (json: string) => readBy(PROJECTION, piecesOf(encoder.encode(json), [size])).result
      expect(read("\ufeff{\"a\":1}")).toEqual(Either.right({ a: 1 }))
      expect(Either.isLeft(read("\ufeff\ufeff{}"))).toBe(true)
      expect(Either.isLeft(read("{\ufeff}"))).toBe(true)
      expect(Either.isLeft(read("\ufeff"))).toBe(true)
    }
  })

  it("has the last of members with the same name, also of another type", () => {
    const json = `{"a":"first","ü🦊":{"a":1},"a":2,"ü🦊":[1],"b":{"a":1},"b":["x"]}`
    expect(readBy(PROJECTION, piecesOf(encoder.encode(json), [7])).result)
      .toEqual(Either.right({ a: 2, "ü🦊": [], b: ["x"] }))
  })

  it("has U+FFFD for surrogates without a partner, wherever its pieces end", () => {
    const json = String.raw`{"a":"\ud83e\udd8a \ud83e x \udd8a\ud83e\ud83e\udd8a ü \uD83E"}`
    for (const size of [1, 2, 3, 4, 5, 6, 7, 11, 100]) {
      expect(readBy(PROJECTION, piecesOf(encoder.encode(json), [size])).result)
        .toEqual(Either.right({ a: "🦊 \ufffd x \ufffd\ufffd🦊 ü \ufffd" }))
    }
  })
})

describe("Of large JSON", () => {
  const read = (json: string, excerpt = WHOLE) =>
    readBy(Projection.of(Sample, { excerpt }), piecesOf(encoder.encode(json), [65_536]))

  it("nothing is kept of members that the schema does not have", () => {
    const { reader, result } = read(`{"a":1,"other":["${"x".repeat(100_000)}",{"a":"${"y".repeat(100_000)}"}]}`)
    expect(result).toEqual(Either.right({ a: 1 }))
    expect(reader.keptBytes).toBe(0)
  })

  it("nothing is kept of a member whose name begins with the longest name of the schema", () => {
    const projection = Projection.of(Schema.Struct({ abc: Schema.Number }))
    const json = `{"abc\\ud83e\\udd8a":1,"abc\\u0064":2,"abc🦊":3}`
    expect(readBy(projection, piecesOf(encoder.encode(json), [1])).result).toEqual(Either.right({}))
  })

  it("nothing is kept of a value of another type than the schema's", () => {
    const { reader, result } = read(`{"ü🦊":"${"x".repeat(100_000)}","a":{"a":"${"x".repeat(100_000)}"},"b":{"0":"x"}}`)
    expect(result).toEqual(Either.right({ "ü🦊": "", a: {}, b: {} }))
    expect(reader.keptBytes).toBe(0)
  })

  it("one item more than the maximum is kept of an array, and their number", () => {
    const { result } = read(`{"b":[${Array.from({ length: 200_000 }, () => 0).join()}]}`)
    const items = Either.getOrUndefined(result)
    expect(items).toEqual({ b: [0, 0, 0, 0] })
    expect(Predicate.hasProperty(items, "b") && Array.isArray(items.b) && totalOf(items.b)).toBe(200_000)
  })

  it("an excerpt has the beginning of strings, without half a character", () => {
    const excerpt = { text: 10, items: 1 }
    expect(read(`{"a":"${"x".repeat(100_000)}"}`, excerpt).result).toEqual(Either.right({ a: "x".repeat(10) }))
    expect(read(`{"a":"x${"🦊".repeat(40_000)}"}`, excerpt).result).toEqual(Either.right({ a: `x${"🦊".repeat(4)}` }))
    expect(read(String.raw`{"a":"x${"\\ud83e\\udd8a".repeat(20_000)}"}`, excerpt).result)
      .toEqual(Either.right({ a: `x${"🦊".repeat(4)}` }))
    const pieces = piecesOf(encoder.encode(`{"a":"x${"🦊".repeat(5)}yyy"}`), [28, 1])
    expect(readBy(Projection.of(Sample, { excerpt }), pieces).result).toEqual(Either.right({ a: `x${"🦊".repeat(4)}` }))
    expect(read(`{"a":"${"x".repeat(1_000_000)}"}`, excerpt).reader.keptBytes).toBeLessThanOrEqual(65_536)
  })

  it("a number has a maximum length", () => {
    const zeros = (length: number) => `{"other":1${"0".repeat(length - 1)}}`
    expect(read(zeros(MAX_NUMBER_LENGTH)).result).toEqual(Either.right({}))
    expect(read(zeros(MAX_NUMBER_LENGTH + 1)).result).toEqual(Either.left("number too long"))
    expect(read(zeros(1_000_000)).result).toEqual(Either.left("number too long"))
  })

  it("a wrong number or word is malformed, not a number that is too long, however much follows", () => {
    for (const wrong of ["-x", "1.x", "1e+x", "nulx"]) {
      expect(read(`{"other":${wrong}${" ".repeat(MAX_NUMBER_LENGTH)}}`).result).toEqual(Either.left("malformed"))
    }
  })

  it("the depth has a maximum", () => {
    const nested = (depth: number) => `{"other":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`
    expect(read(nested(MAX_DEPTH)).result).toEqual(Either.right({}))
    expect(read(nested(MAX_DEPTH + 1)).result).toEqual(Either.left("too deep"))
    expect(read(nested(1_000_000)).result).toEqual(Either.left("too deep"))
  })
})
