import { cell } from "./Format.ts"
import type { Goal, MeasurementTable } from "./Measurement.ts"

type Rows = ReadonlyArray<ReadonlyArray<string>>

const rowsOf = (
  { columns, rows }: Pick<MeasurementTable, "columns" | "rows">
): Rows => [columns, ...rows.map((row) => row.map(cell))]

const widths = (rows: Rows): ReadonlyArray<number> =>
  (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Array.from(row[column] ?? "").length)))

const padded = (text: string, width: number, right: boolean): string => {
  const space = " ".repeat(Math.max(0, width - Array.from(text).length))
  return right ? space + text : text + space
}

/** For a terminal: aligned columns, figures to the right. */
export const terminal = (table: MeasurementTable): string => {
  const rows = rowsOf(table)
  const wide = widths(rows)
  const [head = [], ...body] = rows.map((row) =>
    row.map((text, column) => padded(text, wide[column] ?? 0, column > 0)).join("  ")
  )
  return [table.title, ...table.note === undefined ? [] : [table.note], "", head, ...body].join("\n")
}

const escaped = (text: string): string => text.replaceAll("|", "\\|")

/** The columns and rows for Markdown. */
export const markdownRows = (table: Pick<MeasurementTable, "columns" | "rows">): string => {
  const [head = [], ...body] = rowsOf(table)
  const line = (row: ReadonlyArray<string>) => `| ${row.map(escaped).join(" | ")} |`
  return [line(head), line(head.map((_, column) => column === 0 ? "---" : "---:")), ...body.map(line)].join("\n")
}

/** For Markdown, with its heading. */
export const markdown = (table: MeasurementTable): string =>
  [`### ${table.title}`, ...table.note === undefined ? [] : [table.note], markdownRows(table)].join("\n\n")

/** The goals of all parts. */
export const ofGoals = (goals: ReadonlyArray<Goal>): Pick<MeasurementTable, "columns" | "rows"> => ({
  columns: ["what", "goal", "measured", "reached"],
  rows: goals.map(({ goal, measured, reached, what }) => [what, goal, measured, reached ? "yes" : "**no**"])
})
