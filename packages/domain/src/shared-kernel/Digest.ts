import { Context } from "effect"

/** Port: computes cryptographic digests. */
export class Digest extends Context.Tag("@community-messaging/domain/Digest")<Digest, {
  /** Returns the SHA-256 of the bytes, or of the text in UTF-8, as 64 hexadecimal digits. */
  readonly sha256Hex: (data: string | Uint8Array) => string
}>() {}
