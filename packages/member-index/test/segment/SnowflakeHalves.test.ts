import { UserId } from "@community-messaging/domain/account/User"
import { createdAtMillis } from "@community-messaging/domain/shared-kernel/Snowflake"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { halvesOf, millisOf, userIdOf } from "../../src/segment/SnowflakeHalves.ts"
import { runs } from "../Generated.ts"

const TWO_TO_32 = 4_294_967_296n

const anyId = FastCheck.oneof(
  FastCheck.bigInt(0n, 9_223_372_036_854_775_807n),
  FastCheck.bigInt(0n, 20_000_000_000n),
  FastCheck.constantFrom(TWO_TO_32 - 1n, TWO_TO_32, 9_223_372_036_854_775_807n, 9_007_199_254_740_993n)
).map((id) => UserId.make(`${id}`))

describe("the halves of a snowflake", () => {
  it.prop(
    "are those of the number, and give the id again, and the time when it was generated",
    { id: anyId },
    ({ id }) => {
      const { high, low } = halvesOf(id)
      expect([BigInt(high), BigInt(low)]).toEqual([BigInt(id) / TWO_TO_32, BigInt(id) % TWO_TO_32])
      expect(userIdOf(high, low)).toBe(id)
      expect(millisOf(high, low)).toBe(createdAtMillis(id, 0))
    },
    runs(500)
  )
})
