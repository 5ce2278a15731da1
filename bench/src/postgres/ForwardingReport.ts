import type { Cell, Figure, Goal, MeasurementTable, PartResult } from "../report/Measurement.ts"
import { median, percentile } from "../report/Statistics.ts"
import type { MeasuredForwarding } from "./Forwarding.ts"

/** The goal: the most that forwarding adds to a search, median, in milliseconds. */
const GOAL = 2

const sorted = (rounds: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> =>
  rounds.flat().toSorted((self, that) => self - that)

const ms = (value: number): Figure => ({ value, unit: "ms" })

/** How much longer forwarded searches take: the median over the rounds of the difference of their medians, in milliseconds. */
const added = ({ forwarded, local }: MeasuredForwarding): number =>
  median(forwarded.map((round, index) => median(round) - median(local[index] ?? [])))

/** A search on the server with the index, and a forwarded one. */
export const table = ({ forwarded, local }: MeasuredForwarding): MeasurementTable => ({
  title: "Forwarded member search",
  note:
    "`MEMBER_INDEX=sharded`: pages of 25 of a guild of 10,000, one search at a time, on the server that has the index and " +
    "on one that forwards, by HTTP, to the other one through an encrypted socket of loopback. Both have answered thousands " +
    "before (hundreds with --quick), so that their code is compiled.",
  columns: ["search", "median", "p99"],
  rows: [["local", local] as const, ["forwarded", forwarded] as const].map(([name, rounds]): ReadonlyArray<Cell> => [
    name,
    ms(percentile(sorted(rounds), 0.5)),
    ms(percentile(sorted(rounds), 0.99))
  ])
})

/** Whether forwarding is cheap. */
export const goal = (measured: MeasuredForwarding): Goal => ({
  what: "added time of a forwarded member search, median",
  goal: `≤ ${GOAL} ms`,
  measured: `${added(measured).toFixed(2)} ms`,
  reached: added(measured) <= GOAL
})

/** The result of the part. */
export const make = (measured: MeasuredForwarding): PartResult => ({
  title: "Forwarded member search",
  facts: [],
  tables: [table(measured)],
  goals: [goal(measured)],
  charts: []
})
