import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"

/** Random bytes of the operating system's generator, by way of Node's OpenSSL. */
export const layer: Layer.Layer<SecureRandom> = Layer.succeed(SecureRandom, {
  // A plain Uint8Array: a small Buffer is a window on memory that other secrets share.
  bytes: (count) => Effect.sync(() => Uint8Array.from(randomBytes(count)))
})
