import type { Cell, Chart, Goal, MeasurementTable, PartResult } from "../report/Measurement.ts"
import { median, ratios, spread } from "../report/Statistics.ts"
import { MEASURED, type Measured as Row, OPERATIONS } from "./Exchanges.ts"
import { CONNECTIONS } from "./Load.ts"
import { PINNING } from "./Process.ts"
import { type Subject, SUBJECTS } from "./Subjects.ts"

/** The figures of a server and an operation in one round. */
interface Figures {
  /** The server's time for a request: user and system, all threads. */
  readonly processorMicros: number
  readonly requestsPerSecond: number
}

/** The figures of every subject and operation, round by round. */
export type Measured = { readonly [subject in Subject]: { readonly [row in Row]: Array<Figures> } }

const rows = (): { readonly [row in Row]: Array<Figures> } => ({
  "unknown path": [],
  "consent": [],
  "scheduled messages": [],
  "member search": [],
  "schedule deletion": [],
  "change e-mail": [],
  "code host": [],
  "error tracker": [],
  "update webhook": []
})

/** No figures yet. */
export const empty = (): Measured => ({ "floor": rows(), "ours": rows(), "Fastify": rows() })

const rounds = (measured: Measured, subject: Subject, row: Row, metric: keyof Figures): ReadonlyArray<number> =>
  measured[subject][row].map((figures) => figures[metric])

/** The ratio of our figure to that of the other subject, round by round. */
const oursTo = (measured: Measured, other: "floor" | "Fastify", row: Row, metric: keyof Figures) =>
  ratios(rounds(measured, "ours", row, metric), rounds(measured, other, row, metric))

/** The line on the terminal when an operation is measured. */
export const line = (row: Row, measured: Measured): string => {
  const figures = SUBJECTS.map((subject) => {
    const micros = median(rounds(measured, subject, row, "processorMicros")).toFixed(0)
    return `${subject} ${micros} µs ${median(rounds(measured, subject, row, "requestsPerSecond")).toFixed(0)}/s`
  })
  return `${row}: ${figures.join(", ")}`
}

const table = (
  measured: Measured,
  metric: keyof Figures,
  unit: "us" | "per-second",
  { note, title }: Pick<MeasurementTable, "note" | "title">
): MeasurementTable => ({
  title,
  ...(note !== undefined && { note }),
  columns: ["operation", ...SUBJECTS, "ours / floor", "ours / Fastify"],
  rows: MEASURED.map((row) => [
    row,
    ...SUBJECTS.map((subject): Cell => {
      const values = rounds(measured, subject, row, metric)
      return { value: median(values), unit, spread: spread(values) }
    }),
    ...(["floor", "Fastify"] as const).map((other): Cell => {
      const values = oursTo(measured, other, row, metric)
      return { value: median(values), unit: "ratio", spread: spread(values) }
    })
  ])
})

const ofFloor = (measured: Measured, row: Row) => median(oursTo(measured, "floor", row, "processorMicros"))

const worstGoal = (measured: Measured): Goal => {
  const all = OPERATIONS.map((row) => [row, ofFloor(measured, row)] as const)
  const over = all.filter(([, ratio]) => !(ratio <= 4))
  const [worst = ["", Number.NaN]] = all.toSorted(([, self], [, that]) => that - self)
  const listed = over.map(([row, ratio]) => `${row} ${ratio.toFixed(2)}`).join(", ")
  return {
    what: "processor time of each operation, relative to the floor",
    goal: "≤ 4 ×",
    measured: over.length === 0 ? `at worst ${worst[1].toFixed(2)} (${worst[0]})` : `over: ${listed}`,
    reached: over.length === 0
  }
}

const fastifyGoal = (measured: Measured): Goal => {
  const ahead = (metric: keyof Figures, isAhead: (ratio: number) => boolean) =>
    OPERATIONS.filter((row) => isAhead(median(oursTo(measured, "Fastify", row, metric))))
  const cheaper = ahead("processorMicros", (ratio) => ratio < 1)
  const faster = ahead("requestsPerSecond", (ratio) => ratio > 1)
  const behind = OPERATIONS.filter((row) => !cheaper.includes(row))
  return {
    what: "operations that take less processor time than on Fastify over the same use cases",
    goal: "≥ 6 of 8",
    measured: `${cheaper.length} of ${OPERATIONS.length}; more requests per second on ${faster.length}${
      behind.length === 0 ? "" : `; behind: ${behind.join(", ")}`
    }`,
    reached: cheaper.length >= 6
  }
}

const goals = (measured: Measured): ReadonlyArray<Goal> => {
  const push = ofFloor(measured, "code host")
  return [
    {
      what: "processor time of a notification of the code host, relative to the floor",
      goal: "≤ 3 ×",
      measured: push.toFixed(2),
      reached: push <= 3
    },
    worstGoal(measured),
    fastifyGoal(measured)
  ]
}

const chart = (measured: Measured): Chart => ({
  name: "http",
  title: "Processor time for a request",
  axis: "µs",
  scale: "linear",
  labels: MEASURED,
  series: SUBJECTS.map((subject) => ({
    name: subject,
    values: MEASURED.map((row) => median(rounds(measured, subject, row, "processorMicros")))
  }))
})

/** The part's result. */
export const make = (measured: Measured, compared: string): PartResult => ({
  title: "HTTP: the eight operations through a socket",
  facts: [["cores", PINNING], ["rate limits", "off"], ["responses and rows compared before", compared]],
  tables: [
    table(measured, "processorMicros", "us", {
      title: "Processor time for a request",
      note:
        `User and system, all threads of the server. ${CONNECTIONS} connections. Median of the rounds; a ratio is ` +
        "taken within a round. ± is half of the range over the rounds."
    }),
    table(measured, "requestsPerSecond", "per-second", { title: "Requests per second" })
  ],
  goals: goals(measured),
  charts: [chart(measured)]
})
