import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { arbitrary, RUNS } from "@community-messaging/domain-contract/Arbitraries"
import { Credential } from "@community-messaging/domain/access/Credential"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { Message } from "@community-messaging/domain/message/Message"
import { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { optionalField } from "@community-messaging/domain/shared-kernel/OptionalField"
import { Api } from "@community-messaging/http-adapter/Api"
import { Flag, Instant, json, nullable } from "@community-messaging/storage-sql/Column"
import { MembershipRow } from "@community-messaging/storage-sql/MembershipRow"
import { UserRow } from "@community-messaging/storage-sql/UserRow"
import * as HttpApi from "@effect/platform/HttpApi"
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Option, Predicate, Schema } from "effect"

/** Values of the wrong type for most properties. */
const JUNK: ReadonlyArray<unknown> = [
  undefined,
  null,
  "",
  "x",
  "1",
  -1,
  0.5,
  2 ** 60,
  true,
  1n,
  [],
  [null],
  {},
  "{}",
  "[1]"
]

/** The value with one property, at any depth, replaced by junk or removed. */
const spoilt = (value: unknown): FastCheck.Arbitrary<unknown> => {
  const junk = FastCheck.constantFrom(...JUNK)
  if (!Predicate.isRecord(value) || Object.keys(value).length === 0) return junk
  return FastCheck.constantFrom(...Object.keys(value)).chain((key) => {
    const { [key]: inner, ...others } = value
    return FastCheck.oneof(
      FastCheck.constant(others),
      spoilt(inner).map((changed) => ({ ...value, [key]: changed }))
    )
  })
}

/** Tests that the compiled functions of a schema give the results of the schema. */
const agreement = <A, I>(name: string, schema: Schema.Schema<A, I>) => {
  const compiled = {
    decode: CompiledSchema.decodeUnknownEither(schema),
    decodeTrusted: CompiledSchema.decodeTrustedEither(schema),
    encode: CompiledSchema.encodeEither(schema),
    encodeTrusted: CompiledSchema.encodeTrustedEither(schema)
  }
  const bySchema = { decode: Schema.decodeUnknownEither(schema), encode: Schema.encodeEither(schema) }
  // Two equal moments may differ in their cached fields, but not in their encoded forms.
  const plain = <E>(decoded: Either.Either<A, E>) => Either.flatMap(decoded, bySchema.encode)
  const failed = <B, E>(result: Either.Either<B, E>) => Either.mapLeft(result, () => "no fit")

  describe(name, () => {
    it.prop("encodes as the schema does", [arbitrary(schema)], ([value]) => {
      expect(compiled.encode(value)).toEqual(bySchema.encode(value))
      expect(compiled.encodeTrusted(value)).toEqual(bySchema.encode(value))
    }, RUNS)

    it.prop("decodes as the schema does", [arbitrary(schema)], ([value]) => {
      const encoded = Either.getOrThrow(bySchema.encode(value))
      expect(plain(compiled.decode(encoded))).toEqual(plain(bySchema.decode(encoded)))
      expect(plain(compiled.decodeTrusted(encoded))).toEqual(plain(bySchema.decode(encoded)))
    }, RUNS)

    it.prop(
      "decodes only what the schema decodes, with the same result",
      [arbitrary(schema).chain((value) => spoilt(Either.getOrThrow(bySchema.encode(value))))],
      ([encoded]) => {
        expect(failed(plain(compiled.decode(encoded)))).toEqual(failed(plain(bySchema.decode(encoded))))
      },
      { fastCheck: { numRuns: 80 } }
    )
  })
}

const bodies: Array<readonly [operation: string, schema: Schema.Schema<never, unknown>]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    // Too few random values are valid searches.
    if (endpoint.name === "search") return
    for (const schema of Option.toArray(endpoint.payloadSchema)) bodies.push([endpoint.name, schema])
  }
})

describe("a compiled schema", () => {
  for (const [operation, schema] of bodies) agreement(`of the body of ${operation}`, schema)
  agreement("of accounts", UserRow)
  agreement("of memberships", MembershipRow)
  agreement("of messages", Message)
  agreement("of scheduled messages", ScheduledMessage)
  agreement("of credentials", Credential)
  agreement("of audit records", AuditRecord)
  agreement("of events", DomainEvent)
  agreement("of JSON", Schema.Struct({ message: Schema.parseJson(Message) }))
  agreement(
    "of columns",
    Schema.Struct({ flag: Flag, at: Instant, name: nullable("other_name", Schema.NonEmptyString) })
  )
  agreement(
    "of members with and without a tag",
    Schema.Union(
      Schema.Struct({ name: Schema.String }),
      Schema.Struct({ kind: Schema.Literal("a"), name: Schema.String, size: Schema.Number })
    )
  )
  agreement(
    "with a property that has no source",
    Schema.attachPropertySignature(Schema.Struct({ radius: Schema.Number }), "kind", "circle")
  )
  agreement("that contains a pair", Schema.Struct({ pair: Schema.Tuple(Schema.String, Schema.Int) }))
  agreement("that is not supported", Schema.Struct({ kind: Schema.TemplateLiteral("a-", Schema.String) }))

  it("reports the errors of the schema", () => {
    const schema = Schema.Struct({ id: Schema.NumberFromString })
    expect(CompiledSchema.decodeUnknownEither(schema)({ id: 1 })).toEqual(Schema.decodeUnknownEither(schema)({ id: 1 }))
  })

  it("checks each value once", () => {
    let looks = 0
    const schema = Schema.Struct({
      name: optionalField(Schema.String.pipe(Schema.filter(() => {
        looks += 1
        return true
      })))
    })
    expect(CompiledSchema.decodeUnknownEither(schema)({ name: "ada" })).toEqual(
      Either.right({ name: Option.some("ada") })
    )
    expect(looks).toBe(1)
  })

  it("does not check the refinements of trusted values, also if they may be null, but checks their type", () => {
    const decode = CompiledSchema.decodeTrustedEither(
      Schema.Struct({ name: nullable("other_name", Schema.NonEmptyString), size: Schema.Int })
    )
    expect(decode({ other_name: "", size: 0.5 })).toEqual(Either.right({ name: Option.some(""), size: 0.5 }))
    expect(decode({ other_name: null, size: 1 })).toEqual(Either.right({ name: Option.none(), size: 1 }))
    expect(Either.isLeft(decode({ other_name: 1, size: 1 }))).toBe(true)
    expect(Either.isLeft(decode({ other_name: "", size: "1" }))).toBe(true)
  })

  it("encodes trusted values that violate their refinements, but not values of a wrong type", () => {
    const encode = CompiledSchema.encodeTrustedEither(
      Schema.Struct({ name: nullable("other_name", Schema.NonEmptyString), sizes: json(Schema.Array(Schema.Int)) })
    )
    expect(encode({ name: Option.some(""), sizes: [0.5] })).toEqual(Either.right({ other_name: "", sizes: "[0.5]" }))
    const wrong: unknown = { name: Option.some(1), sizes: [] }
    const isTyped = (value: unknown): value is Parameters<typeof encode>[0] => Predicate.isRecord(value)
    expect(isTyped(wrong) && Either.isLeft(encode(wrong))).toBe(true)
  })

  it("checks refinements that distinguish the members of a trusted union", () => {
    const shout = Schema.transform(Schema.String, Schema.String.pipe(Schema.maxLength(3)), {
      strict: true,
      decode: (text) => text.toUpperCase(),
      encode: (text) => text.toLowerCase()
    })
    const decode = CompiledSchema.decodeTrustedEither(Schema.Union(Schema.String.pipe(Schema.maxLength(2)), shout))
    expect(decode("ab")).toEqual(Either.right("ab"))
    expect(decode("abc")).toEqual(Either.right("ABC"))
    const encode = CompiledSchema.encodeTrustedEither(Schema.Union(Schema.String.pipe(Schema.maxLength(2)), shout))
    expect(encode("AB")).toEqual(Either.right("AB"))
    expect(encode("ABC")).toEqual(Either.right("abc"))
  })

  it("rejects a value whose declared type is wrong", () => {
    const schema = Schema.Struct({ name: optionalField(Schema.String) })
    const wrong: unknown = { name: Option.some(1) }
    const isTyped = (value: unknown): value is typeof schema.Type => Predicate.isRecord(value)
    expect(isTyped(wrong) && Either.isLeft(CompiledSchema.encodeEither(schema)(wrong))).toBe(true)
  })
})

describe("a compiled transformation", () => {
  it("also gets the original input, as from the schema", () => {
    const Numbered = Schema.transform(Schema.Array(Schema.NumberFromString), Schema.Array(Schema.Number), {
      strict: true,
      decode: (numbers, texts) => [...numbers, texts.join("").length],
      encode: (numbers) => numbers
    })
    const expected = Schema.decodeUnknownEither(Numbered)(["10", "200"])
    expect(expected).toEqual(Either.right([10, 200, 5]))
    expect(CompiledSchema.decodeUnknownEither(Numbered)(["10", "200"])).toEqual(expected)
  })
})
