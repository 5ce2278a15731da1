import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { order } from "../../src/segment/RadixOrder.ts"

/** Few different halves, so that numbers tie in one half or in both. */
const half = FastCheck.constantFrom(0, 1, 0x100, 0xffff_ffff)
const numbers = FastCheck.array(FastCheck.record({ high: half, low: half }), { maxLength: 12 })

type Numbers = ReadonlyArray<{ readonly high: number; readonly low: number }>

const inOrder = (all: Numbers): Numbers => all.toSorted((self, that) => self.high - that.high || self.low - that.low)

const ordinalsOf = (all: Numbers): Array<number> => {
  const columns = { high: Uint32Array.from(all, ({ high }) => high), low: Uint32Array.from(all, ({ low }) => low) }
  const sorting = order(columns, Uint16Array.from(all.keys()))
  for (;;) {
    const { done, value } = sorting.next()
    if (done === true) return [...value]
  }
}

describe("the order of numbers of 64 bits", () => {
  it.prop("is ascending, and keeps the order of equal numbers", { all: numbers }, ({ all }) => {
    const number = (ordinal: number) => BigInt(all[ordinal]?.high ?? 0) * 2n ** 32n + BigInt(all[ordinal]?.low ?? 0)
    const expected = [...all.keys()].sort((self, that) => Number(number(self) - number(that)))
    expect(ordinalsOf(all)).toEqual(expected)
  })

  it.prop("is that of the ordinals if these are in order", { all: numbers.map(inOrder) }, ({ all }) => {
    expect(ordinalsOf(all)).toEqual([...all.keys()])
  })
})
