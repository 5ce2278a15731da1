import { Effect, Option, Redacted } from "effect"
import { Digest } from "../shared-kernel/Digest.ts"
import { SecureRandom } from "../shared-kernel/SecureRandom.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { WITHOUT_VALIDATION } from "../shared-kernel/WithoutValidation.ts"
import { format, isWellFormed, TokenDigest, type TokenKind } from "./Token.ts"

const ENTROPY_BYTES = 32

/** Generates tokens and computes the digests of presented tokens. */
export class Tokens extends UseCase<Tokens, {
  /** Generates a token with 256 random bits. Returns it with its digest. */
  readonly generate: (kind: TokenKind) => Effect.Effect<{
    readonly token: Redacted.Redacted
    readonly digest: TokenDigest
  }>
  /** Returns the digest of a presented token; none if the token is malformed. */
  readonly digest: (kind: TokenKind, presented: Redacted.Redacted) => Option.Option<TokenDigest>
}>()(
  "@community-messaging/domain/Tokens",
  Effect.gen(function*() {
    const { sha256Hex } = yield* Digest
    const { bytes } = yield* SecureRandom
    // A SHA-256 in hexadecimal digits is always a valid digest.
    const digestOf = (text: string) => TokenDigest.make(sha256Hex(text), WITHOUT_VALIDATION)
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
) {}
