/* oxlint-disable no-await-in-loop -- One after the other: whatever is measured has the machine for itself. */
import { median } from "../report/Statistics.ts"
import { isSame, told } from "./Agreement.ts"
import type { DrawnClass, DrawnQuery } from "./DrawnQueries.ts"
import type { SearchSubject } from "./SearchSubject.ts"

/** How long to measure. */
export interface Patience {
  /** How often each query is asked of a subject at most. */
  readonly rounds: number
  /** What a subject may take for a class altogether, in milliseconds. */
  readonly millisPerClass: number
  /** So many queries are asked of each subject at least once, however long that takes. */
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

const isRight = async (
  { ranksAsSpecified, search }: SearchSubject,
  { expected, query }: DrawnQuery
): Promise<boolean> => {
  const found = await search(query)
  return query.sortBy === "relevance" && !ranksAsSpecified
    ? found.total === expected.total && found.userIds.length === expected.userIds.length
    : isSame(found, expected)
}

/** Asks once, and tells how long that took. */
const ask = async (measuring: Measuring, drawn: DrawnQuery, index: number): Promise<void> => {
  const start = performance.now()
  const found = await measuring.subject.search(drawn.query)
  const taken = performance.now() - start
  measuring.spent += taken
  measuring.millis[index]?.push(taken)
  // Nobody gets away with an answer that changes from one time to the next.
  if (found.total !== drawn.expected.total) measuring.wrong.add(told(drawn.query))
}

/**
 * Asks all subjects the queries of a class, turn by turn, so that a machine that slows down does so for all. Every answer
 * is compared with the right one. The slower a subject, the fewer queries it is asked; ratios are of those that both were.
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
  const mayGoOn = ({ spent }: Measuring, round: number, index: number) =>
    spent < patience.millisPerClass || (round === 0 && index < patience.atLeast)

  // Comparing whole pages is no part of what is measured, and it warms all up.
  for (const measuring of all) {
    const start = performance.now()
    for (const [index, query] of drawn.queries.entries()) {
      if (index >= patience.atLeast && performance.now() - start > patience.millisPerClass / 2) break
      if (!(await isRight(measuring.subject, query))) measuring.wrong.add(told(query.query))
    }
  }
  for (let round = 0; round < patience.rounds; round++) {
    for (const [index, query] of drawn.queries.entries()) {
      for (const measuring of all) {
        if (mayGoOn(measuring, round, index)) await ask(measuring, query, index)
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
