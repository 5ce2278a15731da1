import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Digest } from "../shared-kernel/Digest.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { SecureRandom } from "../shared-kernel/SecureRandom.ts"
import { format, isWellFormed, TokenDigest, type TokenKind } from "./Token.ts"

const ENTROPY_BYTES = 32

/** Makes tokens, and digests those that are presented. */
export class Tokens extends Context.Tag("@community-messaging/domain/Tokens")<Tokens, {
  /** A new token of that kind with 256 random bits, and its digest. */
  readonly generate: (kind: TokenKind) => Effect.Effect<{
    readonly token: Redacted.Redacted
    readonly digest: TokenDigest
  }>
  /** The digest of a presented token; none where it does not have the form of its kind. */
  readonly digest: (kind: TokenKind, presented: Redacted.Redacted) => Option.Option<TokenDigest>
}>() {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function*() {
      const { sha256Hex } = yield* Digest
      const { bytes } = yield* SecureRandom
      // A SHA-256 in hexadecimal digits is a digest already.
      const digestOf = (text: string) => TokenDigest.make(sha256Hex(text), PARTS_CHECKED)
      return {
        generate: (kind) =>
          Effect.map(bytes(ENTROPY_BYTES), (entropy) => {
            const token = format(kind, entropy)
            return { token, digest: digestOf(Redacted.value(token)) }
          }),
        digest: (kind, presented) => {
          const text = Redacted.value(presented)
          return isWellFormed(kind, text) ? Option.some(digestOf(text)) : Option.none()
        }
      }
    })
  )
}
