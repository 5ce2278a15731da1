import { truncate } from "@community-messaging/domain/shared-kernel/CodePointLength"
import * as PlainText from "./PlainText.ts"

/** The maximum length of a padded cell in characters: names have no limit, and their widths take much more memory. */
const MAX_CELL_LENGTH = 512

/**
 * Renders rows as text, with columns as wide as their widest cell. Cells are made one line of plain text. All but the last
 * one of a row are truncated.
 */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = rows.map((row) => ({
    padded: row.slice(0, -1).map((cell) => {
      const text = PlainText.oneLine(truncate(cell, MAX_CELL_LENGTH))
      return { text, width: PlainText.width(text) }
    }),
    last: PlainText.oneLine(row.at(-1) ?? "")
  }))
  const widths = lines.reduce<ReadonlyArray<number>>(
    (widest, { padded }) => padded.map(({ width }, column) => Math.max(width, widest[column] ?? 0)),
    []
  )
  return lines.map(({ last, padded }) =>
    [...padded.map(({ text, width }, column) => text + " ".repeat((widths[column] ?? 0) - width)), last]
      .join("  ").trimEnd()
  ).join("\n")
}
