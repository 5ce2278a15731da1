import { Arbitrary, FastCheck, type Option, Predicate, Schema } from "effect"
import { expect } from "vitest"
import type { Embed } from "../../src/message/Embed.ts"
import { codePointLength } from "../../src/shared-kernel/CodePointLength.ts"
import { read } from "./Markup.ts"
import { shown } from "./Shown.ts"
import { longThirdPartyText, thirdPartyText } from "./ThirdPartyText.ts"

const withTexts = (value: unknown, text: () => string): unknown => {
  if (typeof value === "string") return text()
  if (Array.isArray(value)) return value.map((each) => withTexts(each, text))
  if (!Predicate.isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, text)]))
}

const text = FastCheck.oneof({ weight: 3, arbitrary: thirdPartyText }, { weight: 1, arbitrary: longThirdPartyText })

/** Values of the schema whose texts are as the worst of third parties would write them. */
export const hostile = <A, I>(schema: Schema.Schema<A, I>): FastCheck.Arbitrary<A> => {
  const encode = Schema.encodeSync(schema)
  const decode = Schema.decodeUnknownSync(schema)
  return FastCheck.tuple(Arbitrary.make(schema), FastCheck.array(text, { minLength: 8, maxLength: 8 })).map(
    ([value, texts]) => {
      let index = 0
      return decode(withTexts(encode(value), () => texts[(index += 1) % texts.length] ?? ""))
    }
  )
}

const MARKUP_OF_OURS = new Set(["code", "code block", "masked link"])

/** Fails where the embed breaks a bound, links to somewhere unsafe, mentions somebody, or lets markup through. */
export const expectHarmless = (embed: Option.Option<Embed>): void => {
  const { author, description = "", fields = [], title = "", url } = shown(embed) ?? {}
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
  for (const each of [...urls, ...[description, ...values].flatMap((markdown) => read(markdown).links)]) {
    expect(each).toMatch(/^https?:\/\/[^\s<>"]+$/i)
  }
  for (const each of [title, description, author?.name ?? "", ...values]) expect(each).not.toMatch(/@(everyone|here)/i)
  // Our own markup: the brackets around the place of a title, the headline of a check's output, code and links.
  expect(read(title.replace(/^\[((?:\\.|[^\]\\])*)\] /s, "$1 ")).markup).toEqual([])
  for (const markdown of [description.replace(/^\*\*((?:\\.|[^*\\])*)\*\*(?=\n|$)/s, "$1"), ...values]) {
    expect(read(markdown).markup.filter((markup) => !MARKUP_OF_OURS.has(markup))).toEqual([])
  }
}
