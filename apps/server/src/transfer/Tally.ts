import type { Outcome } from "./RecordKind.ts"

/** The number of lines of a kind by outcome. */
export type Counts = Readonly<Record<Outcome | "failed", number>>

/** The result of an import by record kind. Lines of an unknown kind are counted under "unknown". */
export type Summary = ReadonlyMap<string, Counts>

/** The outcome of a line, by its kind. */
export type LineOutcome = readonly [kind: string, outcome: keyof Counts]

const NONE: Counts = { added: 0, changed: 0, unchanged: 0, failed: 0 }

/** Counts these lines, too. */
export const count = (summary: Map<string, Counts>, outcomes: ReadonlyArray<LineOutcome>): void => {
  for (const [kind, outcome] of outcomes) {
    const counts = summary.get(kind) ?? NONE
    summary.set(kind, { ...counts, [outcome]: counts[outcome] + 1 })
  }
}

/** Returns the number of lines that were not imported. */
export const failures = (summary: Summary): number =>
  Array.from(summary.values()).reduce((total, { failed }) => total + failed, 0)
