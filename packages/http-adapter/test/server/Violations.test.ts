import { codePointsBetween } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import * as Violations from "@community-messaging/http-adapter/server/Violations"
import { atMost, integerText } from "@community-messaging/http-adapter/wire/WireType"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"

/** The violations of the value, as `path: code: message`. */
const violationsOf = (schema: Schema.Schema.AnyNoContext, value: unknown, describeIssue = Violations.ofBody) =>
  Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(value), {
    onLeft: ({ issue }) => describeIssue(issue).map(({ code, message, path }) => `${path}: ${code}: ${message}`),
    onRight: () => []
  })

const Direction = Schema.Literal("asc", "desc")

interface Tree {
  readonly children?: ReadonlyArray<Tree>
}
const Tree: Schema.Schema<Tree> = Schema.Struct({
  children: Schema.optionalWith(Schema.Array(Schema.suspend(() => Tree)), { exact: true })
})

describe("The violation of a value of a wrong type", () => {
  it.each<readonly [expected: string, Schema.Schema.AnyNoContext, value: unknown]>([
    ["a string", Schema.String, 1],
    ["a string", codePointsBetween(1, 5)(Schema.String), 1],
    ["a string", Schema.TemplateLiteral("id-", Schema.Number), 1],
    ["an integer", integerText({ minimum: 0, maximum: 5 }), 1],
    ["a number", Schema.Number, "1"],
    ["an integer", integer("int32"), "1"],
    ["a boolean", Schema.Boolean, "true"],
    ["an array", Schema.Array(Schema.String), "x"],
    ["an array", atMost(2, Schema.String), "x"],
    ["an object", Schema.Struct({ name: Schema.String }), "x"],
    ["an object", Schema.Struct({}), null],
    ["an object", Schema.Object, "x"],
    ["an object", Tree, "x"],
    ["an object", Schema.suspend(() => Tree), "x"],
    ["a string or null", Schema.NullOr(Schema.String), 1],
    ["a string or an integer", Schema.Union(Schema.String, integer("int64")), true],
    ["a string", Schema.Union(Schema.String, codePointsBetween(1, 5)(Schema.String)), true],
    ["of another kind", Schema.SymbolFromSelf, 1]
  ])("names the required type: %s", (expected, schema, value) => {
    expect(violationsOf(schema, value)).toEqual([`root: INVALID_FORMAT: must be ${expected}`])
  })
})

describe("The violation of an enumeration", () => {
  it("names its values, and has its own code if the value has their type", () => {
    expect(violationsOf(Direction, "up")).toEqual(["root: INVALID_ENUM_VALUE: must be one of: asc, desc"])
    expect(violationsOf(Direction, 1)).toEqual(["root: INVALID_FORMAT: must be one of: asc, desc"])
  })

  it("names the value if there is only one", () => {
    expect(violationsOf(Schema.Literal("asc"), "up")).toEqual(["root: INVALID_ENUM_VALUE: must be one of: asc"])
  })

  it("does not name null, which means no value", () => {
    expect(violationsOf(Schema.NullOr(Direction), "up")).toEqual([
      "root: INVALID_ENUM_VALUE: must be one of: asc, desc"
    ])
  })

  it("names the alternatives if not all of them are values", () => {
    expect(violationsOf(Schema.Union(Direction, Schema.Number), true)).toEqual([
      "root: INVALID_FORMAT: must be asc or desc or a number"
    ])
  })

  it("names null if it is the only alternative", () => {
    expect(violationsOf(Schema.Null, 1)).toEqual(["root: INVALID_FORMAT: must be null"])
  })
})

describe("The violation of one of several schemas", () => {
  const Named = Schema.Struct({ name: codePointsBetween(1, 3)(Schema.String) })

  it("is that of the most likely schema of the value", () => {
    expect(violationsOf(Schema.Union(Schema.String, Named), { name: "long" })).toEqual([
      "name: STRING_LENGTH_INVALID: must be 1 to 3 characters long"
    ])
    expect(violationsOf(Schema.Union(Schema.String, Named), { name: 1 })).toEqual([
      "name: INVALID_FORMAT: must be a string"
    ])
    expect(violationsOf(Schema.Union(Schema.Number, codePointsBetween(1, 3)(Schema.String)), "long")).toEqual([
      "root: STRING_LENGTH_INVALID: must be 1 to 3 characters long"
    ])
  })

  it("is that of all schemas if none is likely", () => {
    expect(violationsOf(Schema.Union(Schema.String, Named), 1)).toEqual([
      "root: INVALID_FORMAT: must be a string or an object"
    ])
  })
})

describe("A violation", () => {
  it("has the path of the value, with the indexes of items", () => {
    const body = Schema.Struct({ items: Schema.Array(Schema.Struct({ limit: integer("int32") })) })
    expect(violationsOf(body, { items: [{ limit: 1 }, { limit: "1" }, {}] })).toEqual([
      "items.1.limit: INVALID_FORMAT: must be an integer",
      "items.2.limit: REQUIRED: is required"
    ])
  })

  it("has the message of its rule", () => {
    expect(violationsOf(integer("int32"), 1.5)).toEqual(["root: INVALID_FORMAT: must be an integer"])
    expect(violationsOf(integer("int32", { minimum: 0, maximum: 5 }), 6)).toEqual([
      "root: NUMBER_OUT_OF_RANGE: must be 0 to 5"
    ])
    expect(violationsOf(integerText({ minimum: 0, maximum: 5 }), "x")).toEqual([
      "root: INVALID_FORMAT: must be an integer"
    ])
    expect(violationsOf(integerText({ minimum: 0, maximum: 5 }), "6")).toEqual([
      "root: NUMBER_OUT_OF_RANGE: must be 0 to 5"
    ])
  })

  it("names the expected type if its rule has no message", () => {
    const silent = Schema.String.pipe(Schema.filter(() => false))
    expect(violationsOf(silent, "x")).toEqual(["root: INVALID_FORMAT: must be a string of the right form"])
  })

  it("has the message of a rule that overrides those of the rules inside", () => {
    const name = Schema.NonEmptyTrimmedString.annotations({
      message: () => ({ message: "is no name", override: true })
    })
    for (const wrong of ["", " x", 5]) expect(violationsOf(name, wrong)).toEqual(["root: INVALID_FORMAT: is no name"])
    const other = Schema.String.pipe(
      Schema.filter(() => false, { message: () => ({ message: "is no name", override: false }) })
    )
    expect(violationsOf(other, 5)).toEqual(["root: INVALID_FORMAT: must be a string"])
  })

  it("reports a text that cannot be converted", () => {
    expect(violationsOf(Schema.NumberFromString, "x")).toEqual([
      "root: INVALID_FORMAT: must be a string of the right form"
    ])
  })

  it("reports a field that is not allowed", () => {
    const strict = Schema.Struct({ a: Schema.optional(Schema.Never), b: Schema.String }).annotations({
      parseOptions: { onExcessProperty: "error" }
    })
    expect(violationsOf(strict, { b: "x", c: 1 })).toEqual(["c: INVALID_FORMAT: is not allowed here"])
  })

  it("is one of at most a hundred", () => {
    const items = Array.from({ length: 101 }, () => 1)
    expect(violationsOf(Schema.Array(Schema.String), items.slice(0, 100))).toHaveLength(100)
    expect(violationsOf(Schema.Array(Schema.String), items)).toHaveLength(100)
    const twice = Schema.Struct({ a: Schema.Array(Schema.String), b: Schema.Array(Schema.String) })
    expect(violationsOf(twice, { a: items, b: items })).toHaveLength(100)
  })

  it("in a parameter has the name of the parameter", () => {
    const parameters = Schema.Struct({
      status: Schema.Array(Direction),
      limit: integerText({ minimum: 0, maximum: 5 })
    })
    expect(violationsOf(parameters, { status: ["asc", "up"], limit: "9" }, Violations.ofParameters)).toEqual([
      "status: INVALID_ENUM_VALUE: must be one of: asc, desc",
      "limit: NUMBER_OUT_OF_RANGE: must be 0 to 5"
    ])
  })
})
