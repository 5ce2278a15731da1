import type { Chart } from "./Measurement.ts"

/*
 * Grouped horizontal bars as SVG: no library, and colours that are distinct on light and dark pages.
 */

const COLOURS = ["#d9480f", "#1971c2", "#2f9e44", "#9c36b5", "#f08c00", "#495057"] as const
const TEXT = "#6b7280"
const LINE = "#9ca3af"

const WIDTH = 860
const LEFT = 210
const RIGHT = 70
const TOP = 70
const BAR = 13
const GAP = 14
const BOTTOM = 40

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const label = (value: number): string => {
  if (value >= 1000) return Math.round(value).toLocaleString("en-US")
  return String(Number(value.toPrecision(3)))
}

/** The value rounded up to one, two or five times a power of ten. */
const roundUp = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= value) ?? 10
  return factor * power
}

interface Axis {
  /** The position of a value, from 0 to 1. */
  readonly at: (value: number) => number
  readonly ticks: ReadonlyArray<number>
}

const linear = (largest: number): Axis => {
  const step = roundUp(largest / 5)
  const count = Math.max(1, Math.ceil(largest / step))
  return {
    at: (value) => value / (step * count),
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step)
  }
}

const logarithmic = (smallest: number, largest: number): Axis => {
  // A bar that begins and ends at the same power of ten would be invisible.
  const first = Math.ceil(Math.log10(smallest)) - 1
  const last = Math.max(first + 1, Math.ceil(Math.log10(largest)))
  return {
    at: (value) => Math.max(0, (Math.log10(value) - first) / (last - first)),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
  }
}

const axisOf = ({ scale, series }: Chart): Axis => {
  const values = series.flatMap((each) => each.values).filter((value) => value !== null).filter(Number.isFinite)
  const positive = values.filter((value) => value > 0)
  const largest = positive.length === 0 ? 1 : Math.max(...positive)
  return scale === "linear" ? linear(largest) : logarithmic(Math.min(...positive, largest), largest)
}

const text = (
  x: number,
  y: number,
  content: string,
  { anchor = "start", size = 12, weight = "normal" }: { anchor?: string; size?: number; weight?: string } = {}
): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}">${
    escaped(content)
  }</text>`

/** The chart as an SVG document. */
export const svg = (chart: Chart): string => {
  const axis = axisOf(chart)
  const inner = WIDTH - LEFT - RIGHT
  const group = chart.series.length * BAR + GAP
  const bottom = TOP + chart.labels.length * group
  const height = bottom + BOTTOM
  const x = (value: number): number => LEFT + axis.at(value) * inner

  const ticks = axis.ticks.flatMap((tick) => [
    `<line x1="${x(tick).toFixed(1)}" y1="${TOP}" x2="${
      x(tick).toFixed(1)
    }" y2="${bottom}" stroke="${LINE}" stroke-opacity="0.4"/>`,
    text(x(tick), bottom + 16, label(tick), { anchor: "middle", size: 11 })
  ])
  const begins = chart.series.map((_, index) =>
    chart.series.slice(0, index).reduce((width, { name }) => width + 40 + Array.from(name).length * 7, 16)
  )
  const legend = chart.series.flatMap(({ name }, index) => {
    const begin = begins[index] ?? 0
    return [
      `<rect x="${begin}" y="38" width="12" height="12" fill="${COLOURS[index % COLOURS.length] ?? TEXT}"/>`,
      text(begin + 18, 48, name)
    ]
  })
  const bars = chart.labels.flatMap((name, row) => {
    const top = TOP + row * group + GAP / 2
    return [
      text(LEFT - 10, top + (chart.series.length * BAR) / 2 + 4, name, { anchor: "end" }),
      ...chart.series.flatMap(({ values }, index) => {
        const value = values[row] ?? null
        if (value === null || !Number.isFinite(value)) return []
        const y = top + index * BAR
        const width = Math.max(1, x(value) - LEFT)
        return [
          `<rect x="${LEFT}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${BAR - 2}" fill="${
            COLOURS[index % COLOURS.length] ?? TEXT
          }"/>`,
          text(LEFT + width + 4, y + BAR - 3.5, label(value), { size: 10 })
        ]
      })
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" fill="${TEXT}">`,
    `<title>${escaped(chart.title)}</title>`,
    text(16, 24, chart.title, { size: 15, weight: "bold" }),
    ...legend,
    ...ticks,
    ...bars,
    text(LEFT + inner / 2, height - 6, chart.axis, { anchor: "middle", size: 11 }),
    "</svg>",
    ""
  ].join("\n")
}
