import { describe, expect, it } from "vitest"
import { median, percentile, ratios, spread } from "../../bench/src/report/Statistics.ts"

describe("the statistics of the benchmark", () => {
  it.each([
    ["the middle of the sorted values", [9, 1, 5], 5],
    ["the mean of the two middle values if their number is even", [10, 1, 2, 4], 3],
    ["none without values", [], Number.NaN]
  ])("have as the median %s", (_, values, expected) => {
    expect(median(values)).toBe(expected)
  })

  it("take as the p99 of a hundred values the one that only one exceeds, and of few values the largest", () => {
    expect(percentile(Array.from({ length: 100 }, (_, index) => index + 1), 0.99)).toBe(99)
    expect(percentile([1, 2, 3], 0.99)).toBe(3)
  })

  it("give the range of values as a part of their median", () => {
    expect(spread([90, 100, 120])).toBeCloseTo(0.3)
  })

  it("compare values of the same round", () => {
    expect(ratios([10, 30], [20, 10])).toEqual([0.5, 3])
  })
})
