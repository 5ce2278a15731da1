import { cell } from "../report/Format.ts"
import type { Cell, Chart, Goal, MeasurementTable, PartResult } from "../report/Measurement.ts"
import { median, ratios, spread } from "../report/Statistics.ts"
import { type Operation, OPERATIONS } from "./Exchanges.ts"
import { CONNECTIONS, type LoadResult } from "./Load.ts"
import { PINNING } from "./Process.ts"
import { type Subject, SUBJECTS } from "./Subjects.ts"

/** What all others are compared with. */
const BASE = "node:http"

/** What was measured of every subject and operation, by round. */
export type Measured = { readonly [subject in Subject]: { readonly [operation in Operation]: Array<LoadResult> } }

const operations = (): { readonly [operation in Operation]: Array<LoadResult> } => ({
  "consent": [],
  "scheduled messages": [],
  "member search": [],
  "schedule deletion": [],
  "change e-mail": [],
  "code host": [],
  "error tracker": [],
  "update webhook": []
})

/** Nothing measured yet. */
export const empty = (): Measured => ({
  "ours": operations(),
  "node:http": operations(),
  "Fastify": operations()
})

type Metric = (result: LoadResult) => number

const throughput: Metric = ({ requestsPerSecond }) => requestsPerSecond
const p99: Metric = ({ p99Latency }) => p99Latency

const rounds = (measured: Measured, subject: Subject, operation: Operation, metric: Metric): ReadonlyArray<number> =>
  measured[subject][operation].map(metric)

const relative = (measured: Measured, subject: Subject, base: Subject, operation: Operation, metric: Metric) =>
  ratios(rounds(measured, subject, operation, metric), rounds(measured, base, operation, metric))

/** What the person at the terminal sees when an operation is done. */
export const line = (operation: Operation, measured: Measured): string => {
  const figures = SUBJECTS.map((subject) => {
    const perSecond = Math.round(median(rounds(measured, subject, operation, throughput)))
    const ratio = median(relative(measured, subject, BASE, operation, throughput))
    return `${subject} ${perSecond}/s (${ratio.toFixed(2)})`
  })
  return `${operation}: ${figures.join(", ")}`
}

const PEERS = SUBJECTS.filter((subject) => subject !== BASE)

const throughputTable = (measured: Measured): MeasurementTable => ({
  title: "Requests per second",
  note:
    `${CONNECTIONS} connections. Median of the rounds; after it, in the same way, the ratio to node:http in the same ` +
    "round. ± is half of the range over the rounds.",
  columns: ["operation", BASE, ...PEERS.flatMap((subject) => [subject, "ratio"])],
  rows: OPERATIONS.map((operation) => {
    const perSecond = (subject: Subject): Cell => {
      const values = rounds(measured, subject, operation, throughput)
      return { value: median(values), unit: "per-second", spread: spread(values) }
    }
    return [
      operation,
      perSecond(BASE),
      ...PEERS.flatMap((subject): ReadonlyArray<Cell> => {
        const values = relative(measured, subject, BASE, operation, throughput)
        return [perSecond(subject), { value: median(values), unit: "ratio", spread: spread(values) }]
      })
    ]
  })
})

const latencyTable = (measured: Measured): MeasurementTable => ({
  title: "Latency, median / p99",
  note: "From sending a request to the end of its answer, median of the rounds; the ratio is that of the p99.",
  columns: ["operation", BASE, ...PEERS.flatMap((subject) => [subject, "ratio"])],
  rows: OPERATIONS.map((operation) => {
    const latency = (subject: Subject): Cell => {
      const middle = median(rounds(measured, subject, operation, (result) => result.medianLatency))
      return `${cell({ value: middle, unit: "ms" })} / ${
        cell({ value: median(rounds(measured, subject, operation, p99)), unit: "ms" })
      }`
    }
    return [
      operation,
      latency(BASE),
      ...PEERS.flatMap((subject): ReadonlyArray<Cell> => {
        const values = relative(measured, subject, BASE, operation, p99)
        return [latency(subject), { value: median(values), unit: "ratio", spread: spread(values) }]
      })
    ]
  })
})

/** The worst of the operations decides; those that fall short are named. */
const goal = (
  what: string,
  wanted: string,
  measured: ReadonlyArray<readonly [operation: string, ratio: number]>,
  isReached: (ratio: number) => boolean,
  isWorse: (self: number, that: number) => boolean
): Goal => {
  const short = measured.filter(([, ratio]) => !isReached(ratio))
  const [worst = ["", Number.NaN]] = measured.toSorted(([, self], [, that]) => isWorse(self, that) ? -1 : 1)
  const listed = short.map(([operation, ratio]) => `${operation} ${ratio.toFixed(2)}`).join(", ")
  return {
    what,
    goal: wanted,
    measured: short.length === 0
      ? `at worst ${worst[1].toFixed(2)} (${worst[0]})`
      : `${measured.length - short.length} of ${measured.length} reach it; short: ${listed}`,
    reached: short.length === 0
  }
}

const goals = (measured: Measured): ReadonlyArray<Goal> => {
  const medians = (base: Subject, metric: Metric) =>
    OPERATIONS.map((operation) => [operation, median(relative(measured, "ours", base, operation, metric))] as const)
  return [
    goal(
      "requests per second of each operation, of bare node:http with the same work and storage",
      "≥ 0.66",
      medians(BASE, throughput),
      (ratio) => ratio >= 0.66,
      (self, that) => self < that
    ),
    goal(
      "p99 latency of each operation, of bare node:http's",
      "≤ 2 ×",
      medians(BASE, p99),
      (ratio) => ratio <= 2,
      (self, that) => self > that
    ),
    goal(
      "requests per second of each operation, of Fastify with the same work and storage",
      "> 1",
      medians("Fastify", throughput),
      (ratio) => ratio > 1,
      (self, that) => self < that
    )
  ]
}

const chart = (measured: Measured): Chart => ({
  name: "http",
  title: "Requests per second, of bare node:http with the same work and storage",
  axis: "ratio to node:http",
  scale: "linear",
  labels: OPERATIONS,
  series: SUBJECTS.map((subject) => ({
    name: subject,
    values: OPERATIONS.map((operation) => median(relative(measured, subject, BASE, operation, throughput)))
  }))
})

/** The part's result. */
export const make = (measured: Measured, compared: string): PartResult => ({
  title: "HTTP: the eight operations through a socket",
  facts: [["cores", PINNING], ["answers compared before", compared]],
  tables: [throughputTable(measured), latencyTable(measured)],
  goals: goals(measured),
  charts: [chart(measured)]
})
