import { Arbitrary, FastCheck, Predicate, Schema, SchemaAST } from "effect"
import { expect } from "vitest"
import { codePointLength } from "../../src/shared-kernel/CodePointLength.ts"
import type { Delivery } from "../../src/webhook/Delivery.ts"
import { RENDERERS } from "./ChatRenderers.ts"
import { shown } from "./Shown.ts"
import { longThirdPartyText, thirdPartyText } from "./ThirdPartyText.ts"

const withTexts = (value: unknown, text: () => string): unknown => {
  if (typeof value === "string") return text()
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text))
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, text)]))
}

const text = FastCheck.oneof({ weight: 3, arbitrary: thirdPartyText }, { weight: 1, arbitrary: longThirdPartyText })

/** The same type with all fields present and not null. */
const complete = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (SchemaAST.isUnion(ast)) {
    const [only, ...others] = ast.types.filter((type) => !SchemaAST.isLiteral(type) || type.literal !== null)
    return only === undefined || others.length > 0 ? ast : complete(only)
  }
  if (SchemaAST.isTypeLiteral(ast)) {
    const fields = ast.propertySignatures.map(({ isReadonly, name, type }) =>
      new SchemaAST.PropertySignature(name, complete(type), false, isReadonly)
    )
    return new SchemaAST.TypeLiteral(fields, ast.indexSignatures)
  }
  if (!SchemaAST.isTupleType(ast)) return ast
  return new SchemaAST.TupleType(
    ast.elements,
    ast.rest.map(({ type }) => new SchemaAST.Type(complete(type))),
    ast.isReadonly
  )
}

/** Values of the schema with the most hostile texts that a third party could write. */
export const hostile = <A, I>(schema: Schema.Schema<A, I>): FastCheck.Arbitrary<A> => {
  const encode = Schema.encodeSync(schema)
  const decode = Schema.decodeUnknownSync(schema)
  const type = Schema.typeSchema(schema)
  const anyValue = FastCheck.oneof(
    { weight: 1, arbitrary: Arbitrary.make(type) },
    { weight: 3, arbitrary: Arbitrary.make(Schema.make<A>(complete(type.ast))) }
  )
  return FastCheck.tuple(anyValue, FastCheck.array(text, { minLength: 8, maxLength: 8 })).map(
    ([value, texts]) => {
      let index = 0
      return decode(withTexts(encode(value), () => texts[(index += 1) % texts.length] ?? ""))
    }
  )
}

/** The markup that the service adds, or keeps in bodies. */
const MARKUP_OF_OURS = new Set(["em", "strong", "s", "blockQuote", "list", "bullet_list", "ordered_list"])

/** Fails if the embed breaks a bound, has an unsafe link, mentions a user, or contains third-party markup. */
export const expectHarmless = (delivery: Delivery): void => {
  const { author, description = "", fields = [], title = "", url } = shown(delivery) ?? {}
  const urls = [url, author?.url, author?.iconUrl].filter(Predicate.isNotUndefined)
  const values = fields.map(({ value = "" }) => value)

  expect(codePointLength(title)).toBeLessThanOrEqual(256)
  expect(codePointLength(description)).toBeLessThanOrEqual(4096)
  expect(codePointLength(author?.name ?? "")).toBeLessThanOrEqual(256)
  expect(fields.length).toBeLessThanOrEqual(25)
  for (const { name = "", value = "" } of fields) {
    expect(codePointLength(name)).toBeLessThanOrEqual(256)
    expect(codePointLength(value)).toBeLessThanOrEqual(1024)
  }
  for (const each of urls) expect(each).toMatch(/^https?:\/\/[^\s<>"]+$/i)
  for (const each of [title, description, author?.name ?? "", ...values]) expect(each).not.toMatch(/@(everyone|here)/i)
  for (const render of Object.values(RENDERERS)) {
    expect(render(title)).toMatchObject({ code: [], links: [], markup: [] })
    for (const markdown of [description, ...values]) {
      const { links, markup } = render(markdown)
      for (const link of links) expect(link).toMatch(/ → https?:\/\/[^\s<>"]+$/i)
      expect({ markdown, markup: markup.filter((each) => !MARKUP_OF_OURS.has(each)) }).toEqual({ markdown, markup: [] })
    }
  }
}
