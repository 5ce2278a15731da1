import type { Facts } from "./Machine.ts"
import type { Goal, PartResult } from "./Measurement.ts"
import * as Tables from "./Tables.ts"

/** All results of one run. */
export interface Run {
  readonly machine: Facts
  readonly noise: Facts
  readonly parts: ReadonlyArray<PartResult>
  /** Fewer rounds and smaller data. */
  readonly quick: boolean
}

const WARNING = "This was a quick run, with fewer rounds and smaller data: its figures are rough."

const list = (facts: Facts): string => facts.map(([name, value]) => `- ${name}: ${value}`).join("\n")

const goalsOf = (run: Run): ReadonlyArray<Goal> => run.parts.flatMap(({ goals }) => goals)

/** For the terminal. */
export const terminal = (run: Run): string =>
  [
    ...run.parts.flatMap(({ facts, tables, title }) => [
      `== ${title} ==`,
      ...facts.length === 0 ? [] : [list(facts)],
      ...tables.map(Tables.terminal)
    ]),
    "== Machine ==",
    list([...run.machine, ...run.noise]),
    "== Goals ==",
    goalsOf(run).map(({ goal, measured, reached, what }) =>
      `${reached ? "reached    " : "NOT REACHED"}  ${what}\n             ${goal}: ${measured}`
    ).join("\n"),
    ...run.quick ? [WARNING] : []
  ].join("\n\n")

/** For Markdown; the files of the charts are in the same folder. */
export const markdown = (run: Run): string =>
  `${
    [
      "# Results",
      ...run.quick ? [`**${WARNING}**`] : [],
      "Written by `npm run bench`. How to read it: [docs/benchmarks.md](../../docs/benchmarks.md).",
      list([...run.machine, ...run.noise]),
      "## Goals",
      Tables.markdownRows(Tables.ofGoals(goalsOf(run))),
      ...run.parts.flatMap(({ charts, facts, tables, title }) => [
        `## ${title}`,
        ...facts.length === 0 ? [] : [list(facts)],
        ...charts.map((chart) => `![${chart.title}](${chart.name}.svg)`),
        ...tables.map(Tables.markdown)
      ])
    ].join("\n\n")
  }\n`
