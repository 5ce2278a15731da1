import { describe, expect, it } from "vitest"
import { svg } from "../../bench/src/report/BarChart.ts"
import { cell } from "../../bench/src/report/Format.ts"
import type { Chart, PartResult } from "../../bench/src/report/Measurement.ts"
import * as Report from "../../bench/src/report/Report.ts"

const chart: Chart = {
  name: "speed",
  title: "Speed <of light & sound>",
  axis: "metres per second",
  scale: "linear",
  labels: ["light", "sound"],
  series: [{ name: "vacuum", values: [100, null] }, { name: "air", values: [50, 1] }]
}

const part: PartResult = {
  title: "Speeds",
  facts: [["place", "here"]],
  tables: [{ title: "All", columns: ["what", "speed"], rows: [["a|b", { value: 2.5, unit: "ms" }]] }],
  goals: [
    { what: "light", goal: "fast", measured: "fast", reached: true },
    { what: "sound", goal: "fast", measured: "slow", reached: false }
  ],
  charts: [chart]
}

const run: Report.Run = { machine: [["cores", "2"]], noise: [], parts: [part], quick: false }

const barWidths = (document: string): ReadonlyArray<number> =>
  Array.from(document.matchAll(/<rect x="210" y="[\d.]+" width="([\d.]+)" height="11"/g), ([, width]) => Number(width))

describe("a figure in a report", () => {
  it.each(
    [
      [{ value: 1234.5, unit: "per-second" }, "1,235/s"],
      [{ value: 0.01234, unit: "ms" }, "0.0123 ms"],
      [{ value: 12.34, unit: "us" }, "12.3 µs"],
      [{ value: 0.6567, unit: "ratio" }, "0.66 ×"],
      [{ value: 140, unit: "bytes" }, "140 B"],
      [{ value: 131_000_000, unit: "bytes" }, "131 MB"],
      [{ value: Number.NaN, unit: "ms" }, "–"],
      [{ value: 100, unit: "per-second", spread: 0.14 }, "100/s ± 7 %"]
    ] as const
  )("is written with its unit: %j", (figure, text) => {
    expect(cell(figure)).toBe(text)
  })
})

describe("the report of the benchmark", () => {
  it.each([
    ["shows whether a goal was reached", "| light | fast | fast | yes |"],
    ["shows whether a goal was not reached", "| sound | fast | slow | **no** |"],
    ["escapes the table's markup in a cell", "| a\\|b | 2.50 ms |"],
    ["shows the charts from the files beside it", "(speed.svg)"]
  ])("%s", (_, text) => {
    expect(Report.markdown(run)).toContain(text)
  })

  it("warns that the figures of a quick run are rough", () => {
    expect(Report.markdown({ ...run, quick: true })).toContain("quick run")
    expect(Report.terminal({ ...run, quick: true })).toContain("quick run")
  })
})

describe("a chart of the benchmark", () => {
  it("draws bars as long as their values, and no bar without a value", () => {
    const [light, lightInAir, soundInAir, ...others] = barWidths(svg(chart))
    expect(others).toEqual([])
    expect((light ?? 0) / (lightInAir ?? 0)).toBeCloseTo(2, 1)
    expect((light ?? 0) / (soundInAir ?? 0)).toBeCloseTo(100, 0)
  })

  it("draws equal factors as equal distances when it is logarithmic", () => {
    const widths = barWidths(
      svg({ ...chart, scale: "logarithmic", labels: ["a", "b", "c"], series: [{ name: "s", values: [10, 100, 1000] }] })
    )
    expect((widths[2] ?? 0) - (widths[1] ?? 0)).toBeCloseTo((widths[1] ?? 0) - (widths[0] ?? 0), 0)
  })

  it("escapes text as SVG", () => {
    expect(svg(chart)).toContain("Speed &lt;of light &amp; sound&gt;")
  })
})
