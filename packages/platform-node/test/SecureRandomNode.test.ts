import { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SecureRandomNode from "../src/SecureRandomNode.ts"

layer(SecureRandomNode.layer)("SecureRandomNode", (it) => {
  it.effect("returns different bytes each time", () =>
    Effect.gen(function*() {
      const random = yield* SecureRandom
      expect(yield* random.bytes(32)).not.toEqual(yield* random.bytes(32))
    }))

  it.effect("returns bytes in memory that no other buffer shares", () =>
    Effect.gen(function*() {
      const random = yield* SecureRandom
      const bytes = yield* random.bytes(32)
      expect(bytes.buffer.byteLength).toBe(32)
    }))
})
