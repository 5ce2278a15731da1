/* oxlint-disable no-await-in-loop -- One after the other: whatever is measured has the machine for itself. */
import { median } from "../report/Statistics.ts"
import { isSame, told } from "./Agreement.ts"
import type { DrawnClass, DrawnQuery } from "./DrawnQueries.ts"
import type { Found, SearchSubject } from "./SearchSubject.ts"

/** How long to measure. */
export interface Patience {
  /** How often each query is timed with a subject at most. */
  readonly rounds: number
  /** What a subject may take for a class altogether, in milliseconds. */
  readonly millisPerClass: number
  /** So many queries are asked of each subject at least, however long that takes. */
  readonly atLeast: number
}

/** What a subject took for the queries of a class, in milliseconds: for each query one value a round. */
export interface Taken {
  readonly subject: SearchSubject
  readonly millis: ReadonlyArray<ReadonlyArray<number>>
}

/** What was measured of a class, subject by subject. */
export interface MeasuredClass {
  readonly drawn: DrawnClass
  readonly taken: ReadonlyArray<Taken>
  /** The queries that were answered wrongly, told in full. */
  readonly wrong: ReadonlyArray<string>
}

interface Measuring extends Taken {
  readonly millis: ReadonlyArray<Array<number>>
  readonly wrong: Set<string>
  spent: number
}

/** A subject that takes as long gains nothing from being warmed up, and nobody wants to wait for it twice, in milliseconds. */
const SLOW_MILLIS = 20

const isRight = (found: Found, { expected, query }: DrawnQuery, { ranksAsSpecified }: SearchSubject): boolean =>
  query.sortBy === "relevance" && !ranksAsSpecified
    ? found.total === expected.total
    : isSame(found, expected)

/** Asks once; how long that took. */
const ask = async ({ subject, wrong }: Measuring, drawn: DrawnQuery): Promise<number> => {
  const start = performance.now()
  const found = await subject.search(drawn.query)
  const taken = performance.now() - start
  if (!isRight(found, drawn, subject)) wrong.add(told(drawn.query))
  return taken
}

const note = (measuring: Measuring, index: number, taken: number): void => {
  measuring.spent += taken
  measuring.millis[index]?.push(taken)
}

/** What takes longer than this is told well enough by a single query, in milliseconds. */
const VERY_SLOW_MILLIS = 1500

/**
 * Asks every query so many times of each subject: the compiler of a service that has run for a while has seen its code. It works
 * in threads beside the program, which a database on the same processors has to wait for.
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

/** Asks each query once, which warms the subject up; what a slow one took is what it takes. */
const warmUp = async (measuring: Measuring, { queries }: DrawnClass, patience: Patience): Promise<void> => {
  let spent = 0
  for (const [index, query] of queries.entries()) {
    if (spent > VERY_SLOW_MILLIS || (index >= patience.atLeast && spent > patience.millisPerClass / 2)) return
    const taken = await ask(measuring, query)
    spent += taken
    if (taken > SLOW_MILLIS) note(measuring, index, taken)
  }
}

/**
 * Asks all subjects the queries of a class, round by round, so that a machine that slows down does so for all. In a round
 * each one answers all queries before the next one has its turn: who searches has a processor's caches for itself. Every
 * answer is compared with the right one. The slower a subject, the fewer queries it is asked; ratios are of those that
 * both were.
 */
const measureClass = async (
  drawn: DrawnClass,
  subjects: ReadonlyArray<SearchSubject>,
  patience: Patience
): Promise<MeasuredClass> => {
  const all = subjects.map((subject): Measuring => ({
    subject,
    millis: drawn.queries.map(() => []),
    wrong: new Set(),
    spent: 0
  }))
  for (const measuring of all) await warmUp(measuring, drawn, patience)
  for (let round = 0; round < patience.rounds; round++) {
    for (const measuring of all) {
      for (const [index, query] of drawn.queries.entries()) {
        if (measuring.spent < patience.millisPerClass) note(measuring, index, await ask(measuring, query))
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
  patience: Patience,
  between: (name: string) => void
): Promise<ReadonlyArray<MeasuredClass>> => {
  const measured: Array<MeasuredClass> = []
  for (const drawn of classes) {
    between(drawn.queryClass.name)
    measured.push(await measureClass(drawn, subjects, patience))
  }
  return measured
}

/** How many times as long the other one takes for the queries that both were asked. */
export const ratio = (other: Taken, ours: Taken): number => {
  const shared = ours.millis.map((_, index) => index)
    .filter((index) => ours.millis[index]?.length !== 0 && other.millis[index]?.length !== 0)
  const middle = ({ millis }: Taken) => median(shared.flatMap((index) => millis[index] ?? []))
  return middle(other) / middle(ours)
}
