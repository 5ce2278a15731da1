import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { format } from "../../src/access/Token.ts"
import { Tokens } from "../../src/access/Tokens.ts"
import { Digest } from "../../src/shared-kernel/Digest.ts"
import { SecureRandom } from "../../src/shared-kernel/SecureRandom.ts"

const ZEROS = new Uint8Array(32)

const tokens = Tokens.layer.pipe(Layer.provide(Layer.merge(
  Layer.succeed(Digest, { sha256Hex: () => "0".repeat(64) }),
  Layer.succeed(SecureRandom, { bytes: () => Effect.succeed(ZEROS) })
)))

describe("the digest of a token", () => {
  it.effect("does not exist if the token is malformed or of another kind", () =>
    Effect.gen(function*() {
      const { digest } = yield* Tokens
      expect(digest("bot", Redacted.make("cmb_short"))).toEqual(Option.none())
      expect(digest("bot", format("admin", ZEROS))).toEqual(Option.none())
    }).pipe(Effect.provide(tokens)))
})
