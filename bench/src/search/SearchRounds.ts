/* oxlint-disable no-await-in-loop -- One after the other: each subject has the machine to itself. */
import { median } from "../report/Statistics.ts"
import { isSame, toJson } from "./Agreement.ts"
import type { DrawnClass, DrawnQuery } from "./DrawnQueries.ts"
import type { Found, SearchSubject } from "./SearchSubject.ts"

/** The limits of a measurement. */
export interface Budget {
  /** The most times that each query is timed with a subject. */
  readonly rounds: number
  /** The time of a subject for a class in all, in milliseconds. */
  readonly millisPerClass: number
  /** The fewest queries that each subject runs, however long they take. */
  readonly atLeast: number
}

/** The times of a subject for the queries of a class, in milliseconds: for each query, one value a round. */
export interface Taken {
  readonly subject: SearchSubject
  readonly millis: ReadonlyArray<ReadonlyArray<number>>
}

/** The figures of a class, subject by subject. */
export interface MeasuredClass {
  readonly drawn: DrawnClass
  readonly taken: ReadonlyArray<Taken>
  /** The queries with a wrong result, as JSON. */
  readonly wrong: ReadonlyArray<string>
}

interface Measuring extends Taken {
  readonly millis: ReadonlyArray<Array<number>>
  readonly wrong: Set<string>
  spent: number
}

/** A query that takes longer gains nothing from a warm-up, so its first time counts. In milliseconds. */
const SLOW_MILLIS = 20

const isRight = (found: Found, { expected, query }: DrawnQuery, { ranksAsSpecified }: SearchSubject): boolean =>
  query.sortBy === "relevance" && !ranksAsSpecified
    ? found.total === expected.total
    : isSame(found, expected)

/** Runs a query once; returns its time. */
const run = async ({ subject, wrong }: Measuring, drawn: DrawnQuery): Promise<number> => {
  const start = performance.now()
  const found = await subject.search(drawn.query)
  const taken = performance.now() - start
  if (!isRight(found, drawn, subject)) wrong.add(toJson(drawn.query))
  return taken
}

const note = (measuring: Measuring, index: number, taken: number): void => {
  measuring.spent += taken
  measuring.millis[index]?.push(taken)
}

/** Beyond this time, a single query is enough. In milliseconds. */
const VERY_SLOW_MILLIS = 1500

/**
 * Runs every query that many times on each subject, so that the code is compiled, as in a service that has run for a while.
 * The compiler's threads would slow down a database on the same processors.
 */
export const exercise = async (
  classes: ReadonlyArray<DrawnClass>,
  subjects: ReadonlyArray<SearchSubject>,
  times: number
): Promise<void> => {
  for (let time = 0; time < times; time++) {
    for (const subject of subjects) {
      for (const { queries } of classes) {
        for (const { query } of queries) await subject.search(query)
      }
    }
  }
}

/** Runs each query once to warm the subject up. The time of a slow query counts. */
const warmUp = async (measuring: Measuring, { queries }: DrawnClass, budget: Budget): Promise<void> => {
  let spent = 0
  for (const [index, query] of queries.entries()) {
    if (spent > VERY_SLOW_MILLIS || (index >= budget.atLeast && spent > budget.millisPerClass / 2)) return
    const taken = await run(measuring, query)
    spent += taken
    if (taken > SLOW_MILLIS) note(measuring, index, taken)
  }
}

/**
 * Runs the queries of a class on all subjects, round by round, so that a machine that slows down affects all of them. In a
 * round, each subject runs all queries before the next one, so that it has the processor's caches to itself. Every result is
 * compared with the correct one. A slow subject runs fewer queries; ratios are of those that both ran.
 */
const measureClass = async (
  drawn: DrawnClass,
  subjects: ReadonlyArray<SearchSubject>,
  budget: Budget
): Promise<MeasuredClass> => {
  const all = subjects.map((subject): Measuring => ({
    subject,
    millis: drawn.queries.map(() => []),
    wrong: new Set(),
    spent: 0
  }))
  for (const measuring of all) await warmUp(measuring, drawn, budget)
  for (let round = 0; round < budget.rounds; round++) {
    for (const measuring of all) {
      for (const [index, query] of drawn.queries.entries()) {
        if (measuring.spent < budget.millisPerClass) note(measuring, index, await run(measuring, query))
      }
    }
  }
  return {
    drawn,
    taken: all,
    wrong: all.flatMap(({ subject, wrong }) => Array.from(wrong, (query) => `${subject.name}: ${query}`))
  }
}

/** Measures every class. */
export const measure = async (
  classes: ReadonlyArray<DrawnClass>,
  subjects: ReadonlyArray<SearchSubject>,
  budget: Budget,
  between: (name: string) => void
): Promise<ReadonlyArray<MeasuredClass>> => {
  const measured: Array<MeasuredClass> = []
  for (const drawn of classes) {
    between(drawn.queryClass.name)
    measured.push(await measureClass(drawn, subjects, budget))
  }
  return measured
}

/** The ratio of the other subject's time to ours, for the queries that both ran. */
export const ratio = (other: Taken, ours: Taken): number => {
  const shared = ours.millis.map((_, index) => index)
    .filter((index) => ours.millis[index]?.length !== 0 && other.millis[index]?.length !== 0)
  const middle = ({ millis }: Taken) => median(shared.flatMap((index) => millis[index] ?? []))
  return middle(other) / middle(ours)
}
