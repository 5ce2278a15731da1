import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { format } from "../../src/access/Token.ts"
import { Tokens } from "../../src/access/Tokens.ts"
import { Digest } from "../../src/shared-kernel/Digest.ts"
import { SecureRandom } from "../../src/shared-kernel/SecureRandom.ts"

const ZEROS = new Uint8Array(32)

/** Tokens whose random bytes all have the value of the requested count. */
const tokens = Tokens.layer.pipe(Layer.provide(Layer.merge(
  // Replaces SHA-256: has the same length, and is unique enough for these tests.
  Layer.succeed(Digest, { sha256Hex: (data) => data.length.toString(16).padStart(64, "0") }),
  Layer.succeed(SecureRandom, { bytes: (count) => Effect.succeed(new Uint8Array(count).fill(count)) })
)))

describe("the digest of a token", () => {
  it.effect("is that of its whole text", () =>
    Effect.gen(function*() {
      const digest = (yield* Tokens).digest("bot", format("bot", ZEROS))
      expect(digest).toEqual(Option.some("35".padStart(64, "0")))
    }).pipe(Effect.provide(tokens)))

  it.effect("does not exist if the token is malformed or of another kind", () =>
    Effect.gen(function*() {
      const { digest } = yield* Tokens
      expect(digest("bot", Redacted.make("cmb_short"))).toEqual(Option.none())
      expect(digest("bot", format("admin", ZEROS))).toEqual(Option.none())
    }).pipe(Effect.provide(tokens)))

  it.effect("is the same for a new token and for the token presented later", () =>
    Effect.gen(function*() {
      const { digest, generate } = yield* Tokens
      const made = yield* generate("webhook")
      expect(digest("webhook", made.token)).toEqual(Option.some(made.digest))
    }).pipe(Effect.provide(tokens)))
})

describe("a new token", () => {
  it.effect("is made of 32 random bytes", () =>
    Effect.gen(function*() {
      const { token } = yield* (yield* Tokens).generate("webhook")
      expect(Redacted.value(token)).toBe(Redacted.value(format("webhook", new Uint8Array(32).fill(32))))
    }).pipe(Effect.provide(tokens)))
})
