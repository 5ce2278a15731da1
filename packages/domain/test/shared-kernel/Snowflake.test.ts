import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Either, FastCheck, Schema } from "effect"
import * as Snowflake from "../../src/shared-kernel/Snowflake.ts"

const isSnowflake = Schema.is(Snowflake.Snowflake)
const anyId = FastCheck.bigInt({ min: 0n, max: Snowflake.MAX_SNOWFLAKE })
const snowflake = (id: bigint) => Snowflake.Snowflake.make(id.toString())

const messageFor = (text: string) =>
  Either.match(Schema.decodeEither(Schema.String.pipe(Schema.compose(Snowflake.Snowflake)))(text), {
    onLeft: (error) => error.message,
    onRight: () => "accepted"
  })

describe("a snowflake", () => {
  it.each(["0", "1", "10", "175928847299117063", "9223372036854775807"])("may be written %s", (text) => {
    expect(isSnowflake(text)).toBe(true)
  })

  it.each(["", " ", "00", "01", "-1", "+1", "1.0", "1e3", "0x1F", "12a", " 1", "1 ", "1\n", "１"])(
    "cannot be written %j",
    (text) => {
      expect(isSnowflake(text)).toBe(false)
    }
  )

  it.prop(
    "is distinguished from other values as its schema does",
    [FastCheck.oneof(anyId.map(String), FastCheck.bigInt().map(String), FastCheck.string(), FastCheck.anything())],
    ([value]) => {
      expect(Snowflake.isSnowflake(value)).toBe(isSnowflake(value))
    }
  )

  it("is a string, never a number", () => {
    expect(isSnowflake(1)).toBe(false)
    expect(Snowflake.isSnowflake(["1"])).toBe(false)
  })

  it("of the wrong form is distinguished from one that is too large", () => {
    expect(messageFor("01")).toContain("must be a snowflake")
    expect(messageFor("9223372036854775808")).toContain("must be at most 9223372036854775807")
  })

  it.prop("is no larger integer", { excess: FastCheck.bigInt({ min: 1n, max: 1n << 80n }) }, ({ excess }) => {
    expect(isSnowflake((Snowflake.MAX_SNOWFLAKE + excess).toString())).toBe(false)
  })
})

describe("compare", () => {
  it.prop(
    "orders snowflakes as integers",
    {
      one: FastCheck.oneof(anyId, FastCheck.bigInt({ min: 0n, max: 200n })),
      other: FastCheck.oneof(anyId, FastCheck.bigInt({ min: 0n, max: 200n }))
    },
    ({ one, other }) => {
      expect(Snowflake.compare(snowflake(one), snowflake(other))).toBe(one < other ? -1 : one > other ? 1 : 0)
    },
    { fastCheck: { seed: 1, numRuns: 1000 } }
  )
})

describe("the time of creation", () => {
  it.effect("is read from the bits above the twenty-second, and counts from 2015 by default", () =>
    Effect.gen(function*() {
      const epoch = yield* Snowflake.SnowflakeEpoch
      const createdAt = Snowflake.createdAt(Snowflake.Snowflake.make("175928847299117063"), epoch)
      expect(DateTime.formatIso(createdAt)).toBe("2016-04-30T11:18:25.796Z")
    }))

  it("has a last snowflake, which is the largest of all if the bits do not suffice", () => {
    expect(Snowflake.lastOfMillis(0)).toBe("4194303")
    expect(Snowflake.lastOfMillis(2 ** 41)).toBe("9223372036854775807")
  })

  it.prop(
    "is exact to the millisecond for every epoch, whatever the bits below are",
    {
      millis: FastCheck.integer({ min: 0, max: 2 ** 41 - 1 }),
      below: FastCheck.bigInt({ min: 0n, max: (1n << 22n) - 1n }),
      epoch: FastCheck.integer({ min: 0, max: 4e12 })
    },
    ({ below, epoch, millis }) => {
      const id = snowflake((BigInt(millis) << 22n) | below)
      expect(Snowflake.createdAtMillis(id, epoch)).toBe(millis + epoch)
      expect(Snowflake.createdAt(id, epoch).epochMillis).toBe(millis + epoch)
    }
  )
})
