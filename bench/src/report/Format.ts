import type { Cell, Figure } from "./Measurement.ts"

const grouped = (value: number): string => Math.round(value).toLocaleString("en-US")

/** Three significant digits, and all digits before the point. */
const rounded = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  if (value === 0) return "0"
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return digits === 0 ? grouped(value) : value.toFixed(Math.min(digits, 4))
}

const bytes = (value: number): string => {
  if (value < 10_000) return `${grouped(value)} B`
  return value < 10_000_000 ? `${rounded(value / 1e3)} KB` : `${rounded(value / 1e6)} MB`
}

const withUnit = ({ unit, value }: Figure): string => {
  if (!Number.isFinite(value)) return "–"
  switch (unit) {
    case "ms":
      return `${rounded(value)} ms`
    case "us":
      return `${rounded(value)} µs`
    case "per-second":
      return `${rounded(value)}/s`
    case "ratio":
      return `${value < 10 ? value.toFixed(2) : rounded(value)} ×`
    case "count":
      return grouped(value)
    case "bytes":
      return bytes(value)
  }
}

/** A cell as text. */
export const cell = (content: Cell): string => {
  if (typeof content === "string") return content
  return content.spread === undefined || !Number.isFinite(content.spread) || content.spread === 0
    ? withUnit(content)
    : `${withUnit(content)} ± ${(content.spread * 50).toFixed(0)} %`
}
