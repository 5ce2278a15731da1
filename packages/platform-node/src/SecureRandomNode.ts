import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { Effect, Layer } from "effect"
import { randomFillSync } from "node:crypto"

/** `SecureRandom` on Node's OpenSSL, which uses the operating system's generator. */
export const layer: Layer.Layer<SecureRandom> = Layer.succeed(SecureRandom, {
  // A new array: a small Buffer shares its memory with other secrets.
  bytes: (count) => Effect.sync(() => randomFillSync(new Uint8Array(count)))
})
