import type { Cell, Chart, Figure, Goal, MeasurementTable } from "../report/Measurement.ts"
import { median, percentile } from "../report/Statistics.ts"
import { type MeasuredClass, ratio, type Taken } from "./SearchRounds.ts"

/** The names of the subjects in the goals. */
export const SUBJECT = {
  service: "MemberSearch",
  index: "index",
  like: "LIKE",
  fts5: "FTS5",
  pgTrgm: "pg_trgm"
} as const

/** The figures at one number of members. */
export interface MeasuredSize {
  readonly members: number
  readonly classes: ReadonlyArray<MeasuredClass>
}

const MEDIAN_GOAL = 1.5
const P99_GOAL = 5
const ADDED_GOAL = 0.2

/** The compared subjects, and the smallest ratio of the first one's time to the second one's. */
const COMPARED = [
  [SUBJECT.fts5, SUBJECT.service, 5],
  [SUBJECT.pgTrgm, SUBJECT.service, 10],
  [SUBJECT.fts5, SUBJECT.index, 5],
  [SUBJECT.pgTrgm, SUBJECT.index, 10]
] as const

const grouped = (count: number): string => count.toLocaleString("en")

const sorted = ({ millis }: Taken): ReadonlyArray<number> => millis.flat().toSorted((self, that) => self - that)

const ms = (value: number): Figure => ({ value, unit: "ms" })

const takenBy = ({ taken }: MeasuredClass, name: string): Taken | undefined =>
  taken.find(({ subject }) => subject.name === name)

const ratioTo = (measured: MeasuredClass, name: string, own: string): number | undefined => {
  const other = takenBy(measured, name)
  const ours = takenBy(measured, own)
  return other === undefined || ours === undefined ? undefined : ratio(other, ours)
}

const ratioCell = (value: number | undefined): Cell => value === undefined ? "–" : { value, unit: "ratio" }

const row = (measured: MeasuredClass): ReadonlyArray<Cell> => [
  measured.drawn.queryClass.name,
  { value: measured.drawn.queries.length, unit: "count" },
  { value: median(measured.drawn.queries.map(({ expected }) => expected.total)), unit: "count" },
  ...measured.taken.flatMap((taken) => [
    ms(percentile(sorted(taken), 0.5)),
    ms(percentile(sorted(taken), 0.99))
  ]),
  ...COMPARED.map(([other, own]) => ratioCell(ratioTo(measured, other, own)))
]

/** The table of one size: a row for each class of queries. */
export const table = ({ classes, members }: MeasuredSize): MeasurementTable => ({
  title: `Search: ${grouped(members)} members in one guild`,
  note:
    "Page of 25 and exact total. `MemberSearch` includes the access check and the members of the page, which it has in " +
    "memory because queries are repeated within seconds; the index alone finds ids, and the databases read the page, but " +
    "neither checks access nor decodes. Subjects took turns, round by round; ratios are of the queries that both ran. " +
    "FTS5's rows are numbered in the order of the page, and " +
    "both it and pg_trgm rank by prefix only, which favours them. All of them count: none keeps totals.",
  columns: [
    "query",
    "queries",
    "hits",
    ...(classes[0]?.taken ?? []).flatMap(({ subject }) => [`${subject.name} median`, "p99"]),
    ...COMPARED.map(([other, own]) => `${other} / ${own}`)
  ],
  rows: classes.map(row)
})

interface Extreme {
  readonly value: number
  readonly name: string
}

const worst = (
  { classes }: MeasuredSize,
  of: (measured: MeasuredClass) => number | undefined,
  isWorse: (self: number, that: number) => boolean
): Extreme | undefined =>
  classes.reduce<Extreme | undefined>((found, measured) => {
    const value = of(measured)
    return value !== undefined && (found === undefined || isWorse(value, found.value))
      ? { value, name: measured.drawn.queryClass.name }
      : found
  }, undefined)

const goal = (
  what: string,
  wanted: string,
  extreme: Extreme | undefined,
  unit: string,
  isReached: (value: number) => boolean
): Goal => ({
  what,
  goal: wanted,
  measured: extreme === undefined ? "not measured" : `${extreme.value.toFixed(2)} ${unit} (${extreme.name})`,
  reached: extreme !== undefined && isReached(extreme.value)
})

const larger = (self: number, that: number): boolean => self > that
const smaller = (self: number, that: number): boolean => self < that

const ofService = (part: number) => (measured: MeasuredClass): number | undefined => {
  const taken = takenBy(measured, SUBJECT.service)
  return taken === undefined ? undefined : percentile(sorted(taken), part)
}

/** What the use case adds to the index: the access check, the read of the page, and the runtime. In milliseconds. */
const addedToIndex = (measured: MeasuredClass): number | undefined => {
  const service = takenBy(measured, SUBJECT.service)
  const index = takenBy(measured, SUBJECT.index)
  return service === undefined || index === undefined
    ? undefined
    : percentile(sorted(service), 0.5) - percentile(sorted(index), 0.5)
}

/** The goals, by the worst class at that size. */
export const goals = (size: MeasuredSize): ReadonlyArray<Goal> => {
  const at = `at ${grouped(size.members)} members, worst class`
  return [
    goal(
      `search ${at}, median`,
      `≤ ${MEDIAN_GOAL} ms`,
      worst(size, ofService(0.5), larger),
      "ms",
      (value) => value <= MEDIAN_GOAL
    ),
    goal(
      `search ${at}, p99`,
      `≤ ${P99_GOAL} ms`,
      worst(size, ofService(0.99), larger),
      "ms",
      (value) => value <= P99_GOAL
    ),
    goal(
      `${SUBJECT.service} - ${SUBJECT.index} ${at}, medians`,
      `≤ ${ADDED_GOAL} ms`,
      worst(size, addedToIndex, larger),
      "ms",
      (value) => value <= ADDED_GOAL
    ),
    ...COMPARED.map(([other, own, wanted]) =>
      goal(
        `${other} / ${own} ${at}`,
        `≥ ${wanted} ×`,
        worst(size, (measured) => ratioTo(measured, other, own), smaller),
        "×",
        (value) => value >= wanted
      )
    )
  ]
}

/** Whether every result at every size is correct. */
export const correctness = (sizes: ReadonlyArray<MeasuredSize>): Goal => {
  const all = sizes.flatMap(({ classes }) => classes)
  const wrong = all.flatMap((measured) => measured.wrong)
  const queries = all.reduce((sum, { drawn }) => sum + drawn.queries.length, 0)
  return {
    what: "every total and page equal to the specification",
    goal: "all",
    measured: wrong.length === 0
      ? `all of ${grouped(queries)} queries`
      : `${grouped(wrong.length)} wrong of ${grouped(queries)} queries: ${wrong.slice(0, 5).join("; ")}`,
    reached: wrong.length === 0
  }
}

/** Medians of all subjects by class. */
export const chart = ({ classes, members }: MeasuredSize): Chart => ({
  name: `search-${members}`,
  title: `Member search, ${grouped(members)} members, median`,
  axis: "milliseconds",
  scale: "logarithmic",
  labels: classes.map(({ drawn }) => drawn.queryClass.name),
  series: (classes[0]?.taken ?? []).map(({ subject }) => ({
    name: subject.name,
    values: classes.map((measured) => {
      const taken = takenBy(measured, subject.name)
      return taken === undefined ? null : percentile(sorted(taken), 0.5)
    })
  }))
})
