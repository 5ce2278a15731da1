/*
 * The contract between the parts of the benchmark and the program. A part measures and returns plain data; the program
 * writes it to the terminal, and as Markdown and SVG.
 */

/** The options of every part. */
export interface RunOptions {
  /** Fewer rounds and smaller data: the figures are rough. */
  readonly quick: boolean
  /** Reports the progress of the part on the terminal. One line, without a newline at its end. */
  readonly log: (line: string) => void
  /**
   * Call it between rounds, when no measurement runs: it times a fixed piece of work of about 20 ms, for the figure of the
   * machine's noise.
   */
  readonly calibrate: () => void
}

/** One cell of a table: text, or a figure with its unit, which the program rounds. */
export type Cell = string | Figure

/** A measured figure. */
export interface Figure {
  readonly value: number
  /** `ratio` is shown as `1.23 ×`, `count` with separators of thousands, `bytes` in KB or MB. */
  readonly unit: "ms" | "us" | "per-second" | "ratio" | "count" | "bytes"
  /** The spread of the rounds: (largest - smallest) / median. Half of it is shown, as `± 7 %`. */
  readonly spread?: number
}

/** A table of a part. Every row has as many cells as there are columns. */
export interface MeasurementTable {
  readonly title: string
  /** What a reader needs to understand the figures: the compared subjects, the number of rounds. */
  readonly note?: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** A goal of the issue, and the figure that decides it. */
export interface Goal {
  /** The measured quantity, as in the table: "bytes per member in the index". */
  readonly what: string
  /** As in the table: "≤ 140". */
  readonly goal: string
  /** The figure with its subject: "131 at 1,000,000 members". */
  readonly measured: string
  readonly reached: boolean
}

/** A chart of grouped horizontal bars, one group per label, one bar per series. */
export interface Chart {
  /** Names the file: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  /** The quantity on the axis, with its unit. */
  readonly axis: string
  /** `logarithmic` if the figures span more than two orders of magnitude. */
  readonly scale: "linear" | "logarithmic"
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<{
    readonly name: string
    /** One value per label; `null` if there is none. */
    readonly values: ReadonlyArray<number | null>
  }>
}

/** The result of a part. */
export interface PartResult {
  /** The heading of the part. */
  readonly title: string
  /** Versions and settings that the figures depend on: `["SQLite", "3.53.0"]`. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  readonly tables: ReadonlyArray<MeasurementTable>
  readonly goals: ReadonlyArray<Goal>
  readonly charts: ReadonlyArray<Chart>
}

/** A part of the benchmark, as its module exports it under the name `run`. It cleans up after itself, also on a failure. */
export type Part = (options: RunOptions) => Promise<PartResult>
