import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { Layer } from "effect"
import { hash } from "node:crypto"

/** `Digest` on Node's OpenSSL. */
export const layer: Layer.Layer<Digest> = Layer.succeed(Digest, {
  sha256Hex: (data) => hash("sha256", data, "hex")
})
