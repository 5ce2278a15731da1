import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as Permissions from "../../src/shared-kernel/Permissions.ts"

const bits = FastCheck.bigInt({ min: 0n, max: 1n << 70n }).map((value) => Permissions.Permissions.make(value))

const isDecimal = Schema.is(Schema.encodedSchema(Permissions.PermissionsFromString))
const decode = Schema.decodeUnknownOption(Permissions.PermissionsFromString)

describe("permissions in decimal digits", () => {
  it.each(["0", "08", "9007199254740993", "9".repeat(78)])("may be written %s", (digits) => {
    expect(decode(digits)).toMatchObject({ _tag: "Some", value: BigInt(digits) })
  })

  it.each(["", "-1", "+8", "0x8", "8.0", "8 ", "eight", "9".repeat(79)])("cannot be written %j", (digits) => {
    expect(decode(digits)._tag).toBe("None")
  })

  it("are a string, never a number", () => {
    expect(isDecimal(8)).toBe(false)
  })

  it.prop("lose no bit when encoded and decoded", { bits }, (given) => {
    const digits = Schema.encodeSync(Permissions.PermissionsFromString)(given.bits)
    expect(decode(digits)).toMatchObject({ _tag: "Some", value: given.bits })
  })
})

describe("known permissions", () => {
  it("are single bits, each with one name", () => {
    const all = Object.values(Permissions.KNOWN)
    expect(all.every((bit) => bit > 0n && (bit & (bit - 1n)) === 0n)).toBe(true)
    expect(new Set(all).size).toBe(all.length)
  })

  it("have the two bits that let a member manage a guild", () => {
    expect(Permissions.KNOWN.ADMINISTRATOR).toBe(8n)
    expect(Permissions.KNOWN.MANAGE_GUILD).toBe(32n)
  })

  it.prop("remain alone, and a second removal changes nothing", { bits }, (given) => {
    const masked = Permissions.known(given.bits)
    const wanted = Object.values(Permissions.KNOWN).filter((bit) => (given.bits & bit) !== 0n)
    expect(masked).toBe(wanted.reduce((sum, bit) => sum + bit, 0n))
    expect(Permissions.known(masked)).toBe(masked)
  })
})

describe("a set of permissions", () => {
  it.prop("includes another one if it has every bit of it", { one: bits, other: bits }, ({ one, other }) => {
    expect(Permissions.includes(Permissions.union(one, other), other)).toBe(true)
    expect(Permissions.includes(one, other)).toBe(Permissions.union(one, other) === one)
  })
})
