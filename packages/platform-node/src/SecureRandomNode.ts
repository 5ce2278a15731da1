import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"

/** `SecureRandom` on Node's OpenSSL, which uses the operating system's generator. */
export const layer: Layer.Layer<SecureRandom> = Layer.succeed(SecureRandom, {
  // Copy to a Uint8Array, because a small Buffer shares its memory with other secrets.
  bytes: (count) => Effect.sync(() => Uint8Array.from(randomBytes(count)))
})
