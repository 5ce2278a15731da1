/*
 * The contract between the parts of the benchmark and the frame around them. A part measures and hands over plain data;
 * only the frame knows of terminals, Markdown and SVG.
 */

/** What every part is told. */
export interface RunOptions {
  /** Fewer rounds and smaller data: the figures are rough. */
  readonly quick: boolean
  /** Tells the person at the terminal how far the part is. One line, without a newline at its end. */
  readonly log: (line: string) => void
  /**
   * To be called between rounds, when nothing is being measured: times a fixed piece of work of about 20 ms, from which
   * the report tells how noisy the machine was.
   */
  readonly calibrate: () => void
}

/** One cell of a table: text as it stands, or a figure with its unit, which the frame rounds. */
export type Cell = string | Figure

/** A measured figure. */
export interface Figure {
  readonly value: number
  /** `ratio` is shown as `1.23 ×`, `count` with separators of thousands, `bytes` in KB or MB. */
  readonly unit: "ms" | "us" | "per-second" | "ratio" | "count" | "bytes" | "seconds"
  /** How far the rounds were apart: (largest - smallest) / median. Shown as `± 7 %` of half of it. */
  readonly spread?: number
}

/** A table of a part. Every row has as many cells as there are columns. */
export interface MeasurementTable {
  readonly title: string
  /** What the reader must know to read it: what was compared, over how many rounds. */
  readonly note?: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** A goal of the issue, and what was measured. */
export interface Goal {
  /** What is measured, as in the table: "bytes per member in the index". */
  readonly what: string
  /** As in the table: "≤ 140". */
  readonly goal: string
  /** The figure that decides, and of what it is: "131 at 1,000,000 members". */
  readonly measured: string
  readonly reached: boolean
}

/** A chart of grouped horizontal bars, one group per label, one bar per series. */
export interface Chart {
  /** Names the file: lower-case letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  /** What the axis shows, with its unit. */
  readonly axis: string
  /** `logarithmic` where the figures span more than two orders of magnitude. */
  readonly scale: "linear" | "logarithmic"
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<{
    readonly name: string
    /** One value per label; `null` where there is none. */
    readonly values: ReadonlyArray<number | null>
  }>
}

/** What a part yields. */
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
