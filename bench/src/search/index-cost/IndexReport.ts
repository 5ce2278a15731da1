import type { Figure, Goal, MeasurementTable } from "../../report/Measurement.ts"
import { median, percentile } from "../../report/Statistics.ts"
import type { ChangeThroughPorts } from "./ChangeThroughPorts.ts"
import type { IndexBuild, IndexChanges } from "./IndexItself.ts"
import type { Restarted } from "./Restart.ts"

/** The figures at one number of members. */
export interface IndexCost {
  readonly itself: IndexBuild & IndexChanges
  readonly ports: ChangeThroughPorts
  /** The first start on the database, without any search so far, under load. */
  readonly firstStart: Restarted
  /** The second start, without load: the time of the first exact answer, in milliseconds. */
  readonly warmStart: number
}

const p99 = (values: ReadonlyArray<number>): number => percentile(values.toSorted((self, that) => self - that), 0.99)

const largest = (values: ReadonlyArray<number>): number => values.reduce((self, that) => Math.max(self, that), 0)

const figure = (unit: Figure["unit"]) => (value: number): Figure => ({ value, unit })
const ms = figure("ms")
const us = figure("us")
const bytes = figure("bytes")
const count = figure("count")

/** The table: a column for each size. */
export const table = (costs: ReadonlyArray<IndexCost>): MeasurementTable => {
  const row = (name: string, unit: (value: number) => Figure, value: (cost: IndexCost) => number) => [
    name,
    ...costs.map((cost) => unit(value(cost)))
  ]
  return {
    title: "The index and its upkeep",
    note:
      "The service was started on a database without any search so far, while clients searched guilds of 10,000 members " +
      "all the time; then again without load. A hold is the longest turn of the event loop, the garbage " +
      "collector's pauses and the searches themselves included.",
    columns: ["", ...costs.map(({ itself }) => `${itself.members.toLocaleString("en")} members`)],
    rows: [
      row("build from members in memory", ms, ({ itself }) => itself.buildMillis),
      row("bytes per member, as the index counts", bytes, ({ itself }) => itself.bytesPerMember),
      row("… as the process's typed arrays grew, including garbage", bytes, ({ itself }) => itself.arrayBytesPerMember),
      row("change in the index, median", us, ({ itself }) => median(itself.setMicros)),
      row("… p99", us, ({ itself }) => p99(itself.setMicros)),
      row("change and the search that sees it, median", us, ({ itself }) => median(itself.seenMicros)),
      row("… p99", us, ({ itself }) => p99(itself.seenMicros)),
      row("deferred work of a change, mean", us, ({ itself }) => itself.maintainMicros),
      row("durable change of a membership, median", ms, ({ ports }) => median(ports.save)),
      row("… p99", ms, ({ ports }) => p99(ports.save)),
      row("MemberSearch right after it, median", ms, ({ ports }) => median(ports.search)),
      row("… p99", ms, ({ ports }) => p99(ports.search)),
      row("first search of a guild of 10,000, median", ms, ({ firstStart }) => median(firstStart.firstSearches)),
      row("… longest: the first of the process", ms, ({ firstStart }) => largest(firstStart.firstSearches)),
      row("first exact answer under load", ms, ({ firstStart }) => firstStart.untilExact),
      row("… longest hold of the event loop meanwhile", ms, ({ firstStart }) => firstStart.longestHold),
      row("… afterwards, for comparison", ms, ({ firstStart }) => firstStart.longestHoldAfterwards),
      row("… other searches answered meanwhile", count, ({ firstStart }) => firstStart.searchesMeanwhile.length),
      row("… their p99", ms, ({ firstStart }) => p99(firstStart.searchesMeanwhile)),
      row("warm start of the service to first exact answer", ms, ({ warmStart }) => warmStart)
    ]
  }
}

const goal = (what: string, wanted: string, value: number, unit: string, isReached: boolean): Goal => ({
  what,
  goal: wanted,
  measured: `${value.toFixed(1)} ${unit}`,
  reached: isReached
})

/** The goals, at that size. */
export const goals = ({ firstStart, itself, ports }: IndexCost): ReadonlyArray<Goal> => {
  const at = `at ${itself.members.toLocaleString("en")} members`
  const change = median(itself.setMicros)
  const first = median(firstStart.firstSearches)
  const unseen = itself.unseen + ports.unseen
  return [
    goal(`a change of one member in the index, median, ${at}`, "≤ 20 µs", change, "µs", change <= 20),
    {
      what: `changes seen by the very next search, ${at}`,
      goal: "all",
      measured: unseen === 0
        ? `all of ${itself.setMicros.length + ports.save.length}`
        : `${unseen} of ${itself.setMicros.length + ports.save.length} not seen`,
      reached: unseen === 0
    },
    goal(`bytes per member in the index, ${at}`, "≤ 140", itself.bytesPerMember, "bytes", itself.bytesPerMember <= 140),
    goal("first search of a guild of 10,000 members", "≤ 60 ms", first, "ms (median)", first <= 60),
    goal(
      `longest hold of the event loop while the index is built under load, ${at}`,
      "≤ 20 ms",
      firstStart.longestHold,
      "ms",
      firstStart.longestHold <= 20
    )
  ]
}
