import type { SeededRandom } from "@community-messaging/bench/report/SeededRandom"
import { Predicate } from "effect"

/*
 * Changes that turn a valid body into an unexpected one.
 */

type Json = unknown

const nested = (depth: number): Json => depth === 0 ? [] : [nested(depth - 1)]

/** Values of other types, beyond bounds, or awkward as text. */
const AWKWARD: ReadonlyArray<(random: SeededRandom) => Json> = [
  () => null,
  () => true,
  () => "",
  () => [],
  () => ({}),
  () => -1,
  () => 0,
  () => 1e308,
  () => -0,
  () => 1.5,
  () => 2 ** 53,
  () => "9223372036854775808",
  () => "9".repeat(5000),
  () => "00",
  (random) => "a".repeat(random.below(20_000)),
  () => "\u0000\u001f\u007f",
  () => "\ud800",
  () => "\u202e\u200b\ufeff",
  () => "𝕬👩‍👩‍👧‍👦é".repeat(50),
  () => "İıſßﬃ",
  () => "../../etc/passwd",
  () => "'; DROP TABLE users; --",
  () => "<!--[x](https://evil.example)@everyone",
  () => "%00%ff",
  () => Array.from({ length: 2000 }, () => 0),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index])),
  (random) => nested(random.below(300)),
  () => ({ constructor: 1, toString: 2, hasOwnProperty: 3 }),
  () => "data:image/png;base64,AAAA",
  () => "bot ".repeat(500),
  () => "a@b.c",
  () => "x@例え.テスト"
]

const awkward = (random: SeededRandom): Json => AWKWARD[random.below(AWKWARD.length)]?.(random)

/** Replaces, adds or removes something at a random place. */
export const mutate = (value: Json, random: SeededRandom): Json => {
  if (random.chance(0.25)) return awkward(random)
  if (Array.isArray(value)) {
    const items: ReadonlyArray<Json> = value
    if (items.length === 0) return [awkward(random)]
    const place = random.below(items.length)
    return random.chance(0.1)
      ? [...items, ...items, ...items]
      : items.map((item, index) => index === place ? mutate(item, random) : item)
  }
  if (Predicate.isRecord(value)) {
    const names = Object.keys(value)
    const name = names[random.below(Math.max(1, names.length))]
    if (name === undefined || random.chance(0.1)) return { ...value, [`extra${random.below(9)}`]: awkward(random) }
    return random.chance(0.1)
      ? Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      : { ...value, [name]: mutate(value[name], random) }
  }
  return awkward(random)
}

/** Changes after which a text is not JSON, or does not fit any schema. */
const BREAKS: ReadonlyArray<(text: string, random: SeededRandom) => string | Buffer> = [
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text) => text.replace("{", "{\"__proto__\":{\"admin\":true},"),
  (text) => text.replace(/"(\w+)":/, "\"$1\":null,\"$1\":"),
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => text.replaceAll("\"", "'"),
  (text) => text.replace(/\d+/, "NaN"),
  (text) => text.replace(/\d+/, "1e99999"),
  (text) => text.replace(/\d+/, "9".repeat(3000)),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
  (text) => Buffer.from(text, "utf16le"),
  () => "[".repeat(20_000),
  () => "{\"a\":".repeat(5000),
  () => "",
  () => "null",
  () => "\"text\""
]

export const breakText = (text: string, random: SeededRandom): string | Buffer =>
  BREAKS[random.below(BREAKS.length)]?.(text, random) ?? text
