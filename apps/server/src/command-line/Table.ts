import * as PlainText from "./PlainText.ts"

/** Renders rows as text, with columns as wide as their widest cell. Cells are made one line of plain text. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = rows.map((row) => row.map(PlainText.oneLine))
  const widths = cells.reduce<ReadonlyArray<number>>(
    (widest, row) => row.map((cell, column) => Math.max(PlainText.width(cell), widest[column] ?? 0)),
    []
  )
  const pad = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - PlainText.width(cell))
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n")
}
