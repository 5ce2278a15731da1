import { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as DigestNode from "../src/DigestNode.ts"

layer(DigestNode.layer)("DigestNode", (it) => {
  it.effect("returns the SHA-256 of FIPS 180-2, appendix B.1", () =>
    Effect.gen(function*() {
      const { sha256Hex } = yield* Digest
      expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }))

  it.effect("digests a text as its UTF-8 bytes", () =>
    Effect.gen(function*() {
      const { sha256Hex } = yield* Digest
      expect(sha256Hex("Grüße 👋")).toBe(sha256Hex(new TextEncoder().encode("Grüße 👋")))
    }))
})
