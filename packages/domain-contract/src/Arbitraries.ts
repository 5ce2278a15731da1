import { Arbitrary, FastCheck, type Schema } from "effect"
import { anyCodePoint } from "./CodePoint.ts"

// Characters that storages have lost or confused before: quotes and wildcards of query languages, NUL, a byte order
// mark, letters with several forms or cases, characters beyond the basic multilingual plane.
const TRICKY = [
  "'",
  "\"",
  "\\",
  "%",
  "_",
  "\u0000",
  "\n",
  "\ufeff",
  "é",
  "\u0301",
  "İ",
  "ß",
  "漢",
  "ﷺ",
  "🦊",
  "\u{10ffff}"
]

/** One code point of any script. Lone surrogates are left out: they are not text and have no UTF-8. */
const codePoint = FastCheck.oneof(
  FastCheck.constantFrom(...TRICKY),
  FastCheck.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
  FastCheck.string({ unit: anyCodePoint, minLength: 1, maxLength: 1 })
)

/** The largest bit set that can be read from decimal digits. */
const MAX_BIG_INT = 10n ** 78n - 1n

/** Arbitraries by schema: wider than fast-check's if those are narrow, smaller if those are large. */
const generators: typeof FastCheck = {
  ...FastCheck,
  string: (constraints) => FastCheck.string({ maxLength: 12, ...constraints, unit: codePoint }),
  integer: (constraints) =>
    FastCheck.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, ...constraints }),
  float: (constraints) =>
    // JSON has no negative zero.
    FastCheck.float({ ...constraints, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  bigInt: (constraints: bigint | FastCheck.BigIntConstraints = {}, max: bigint = MAX_BIG_INT) =>
    typeof constraints === "bigint"
      ? FastCheck.bigInt(constraints, max)
      : FastCheck.bigInt({ max, ...constraints }),
  date: (constraints) =>
    FastCheck.date({
      min: new Date("0001-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      ...constraints
    }),
  array: (item, constraints) => FastCheck.array(item, { maxLength: 3, ...constraints })
}

/** Values of the schema: optional fields with and without a value, text of all scripts, numbers up to their bounds. */
export const arbitrary = <A, I, R>(schema: Schema.Schema<A, I, R>): FastCheck.Arbitrary<A> =>
  Arbitrary.makeLazy(schema)(generators)

/** Texts with lone surrogates and pairs. */
const malformed: typeof FastCheck = {
  ...generators,
  string: (constraints) =>
    FastCheck.string({ maxLength: 12, ...constraints, unit: FastCheck.constantFrom("a", "\ud83e", "\udd8a") })
}

/** Values of the schema whose texts have lone surrogates, where the schema allows them. */
export const malformedTexts = <A, I, R>(schema: Schema.Schema<A, I, R>): FastCheck.Arbitrary<A> =>
  Arbitrary.makeLazy(schema)(malformed)

/** Options of a property: its runs, as a percentage of the runs that FastCheck is configured for, or else of 100. */
const runs = (percentage: number) => ({
  fastCheck: { numRuns: Math.ceil((FastCheck.readConfigureGlobal().numRuns ?? 100) * percentage / 100) }
})

/** The runs of a property. */
export const RUNS = runs(15)

/** The runs of a property that most values show. */
export const FEW_RUNS = runs(8)

/** The runs of a property over values of many kinds. */
export const MANY_RUNS = runs(120)
