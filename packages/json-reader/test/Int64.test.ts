import { WHOLE } from "@community-messaging/json-reader/Excerpt"
import { JsonReader } from "@community-messaging/json-reader/JsonReader"
import * as Projection from "@community-messaging/json-reader/Projection"
import { Either, FastCheck, Schema } from "effect"
import { describe, expect, it } from "vitest"

const encoder = new TextEncoder()

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean, Schema.Null)

const read = <A, I>(schema: Schema.Schema<A, I>, text: string) => {
  const reader = new JsonReader(Projection.of(schema, { excerpt: { ...WHOLE, items: 10 } }))
  reader.push(encoder.encode(text))
  return reader.end()
}

const parse = (text: string): unknown => Either.getOrUndefined(read(Scalar, text))

const MAX = 9_223_372_036_854_775_807n
const MIN = -9_223_372_036_854_775_808n

/** Forms of a whole number in JSON: plain, with a fraction of zeros, and with its point moved by an exponent. */
const forms = (value: bigint): ReadonlyArray<string> => {
  const sign = value < 0n ? "-" : ""
  const digits = String(value < 0n ? -value : value)
  return [
    `${sign}${digits}`,
    `${sign}${digits}.0`,
    `${sign}${digits}.000e0`,
    `${sign}${digits}00E-2`,
    `${sign}${digits.slice(0, 1)}.${digits.slice(1)}e${digits.length - 1}`,
    `${sign}${digits.slice(0, 7)}.${digits.slice(7)}00E+${digits.length - 7}`,
    `${sign}0.000${digits}e${digits.length + 3}`
  ]
}

describe("An integer", () => {
  it.each(forms(MAX))("is read when it is the largest of 64 bits: %s", (numeral) => {
    expect(parse(numeral)).toBe(2 ** 63)
  })

  it.each(forms(MIN))("is read when it is the smallest of 64 bits: %s", (numeral) => {
    expect(parse(numeral)).toBe(-(2 ** 63))
  })

  it.each([
    ...forms(MAX + 1n),
    ...forms(MIN - 1n),
    "9223372036854776e3",
    "9.223372036854776E18",
    "9223372036854775807.1"
  ])(
    "is infinite beyond 64 bits: %s",
    (numeral) => {
      expect(parse(numeral)).toBe(numeral.startsWith("-") ? -Infinity : Infinity)
    }
  )

  it("is infinite beyond 64 bits, also with many leading zeros", () => {
    expect(parse(`0.${"0".repeat(2_000)}9223372036854775808e2019`)).toBe(Infinity)
  })

  it.each([
    "9223372036854774784",
    "-9223372036854774784",
    "9223372036854777856",
    "1e400",
    "922337203685477.5",
    "92233720368547758"
  ])(
    "is read like `JSON.parse` if it is not near the bounds: %s",
    (numeral) => {
      expect(parse(numeral)).toBe(Number(numeral))
    }
  )

  it("is distinguished from its neighbours, in every form", () => {
    const near = FastCheck.bigInt({ min: -3_000n, max: 3_000n })
    FastCheck.assert(
      FastCheck.property(near, FastCheck.boolean(), FastCheck.nat({ max: 6 }), (distance, isNegative, form) => {
        const value = (isNegative ? MIN : MAX) + distance
        const fits = value >= MIN && value <= MAX
        const number = parse(forms(value)[form] ?? "")
        const isTaken = typeof number === "number" && number >= -(2 ** 63) && number <= 2 ** 63
        expect({ value, isTaken }).toEqual({ value, isTaken: fits })
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("JSON with integers beyond 64 bits", () => {
  it("has them as infinity at every place, and no other change", () => {
    const schema = Schema.Struct({
      a: Schema.Array(Schema.Union(Schema.Number, Schema.Struct({ b: Schema.Struct({ c: Schema.Number }) }))),
      "9223372036854775808": Schema.Number,
      d: Schema.Boolean,
      e: Schema.Number,
      f: Schema.Array(Schema.Number),
      g: Schema.Null
    })
    const body =
      `{ "a" : [9223372036854775808 , -9223372036854775809,9223372036854775807,{"b":{"c":9223372036854775808}}],
      "9223372036854775808": 9223372036854775808, "d": true, "e": -1.5e3, "f": [], "g": null }`
    expect(Either.getOrUndefined(read(schema, body))).toEqual({
      a: [Infinity, -Infinity, 2 ** 63, { b: { c: Infinity } }],
      "9223372036854775808": Infinity,
      d: true,
      e: -1500,
      f: [],
      g: null
    })
  })
})
