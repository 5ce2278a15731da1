import type { Cell, Figure, Goal, PartResult } from "../report/Measurement.ts"
import { percentile } from "../report/Statistics.ts"
import { type MeasuredClass, ratio, type Taken } from "../search/SearchRounds.ts"
import { type MeasuredGuild, SUBJECT } from "./LargeGuild.ts"

/** The goal for the first exact answer, in seconds. */
const FIRST_GOAL = 40

/** The goals for a search on SQLite, in milliseconds. On PostgreSQL, a round trip is added. */
const SQLITE_GOALS = [["median", 0.5, 1.5], ["p99", 0.99, 5]] as const

const takenBy = ({ taken }: MeasuredClass, name: string): Taken | undefined =>
  taken.find(({ subject }) => subject.name === name)

const partOf = (millis: ReadonlyArray<number>, part: number): number =>
  percentile(millis.toSorted((self, that) => self - that), part)

const millis = (measured: MeasuredClass, name: string, part: number): number =>
  partOf(takenBy(measured, name)?.millis.flat() ?? [], part)

const ms = (value: number): Figure => ({ value, unit: "ms" })

const row = (measured: MeasuredClass): ReadonlyArray<Cell> => {
  const postgres = takenBy(measured, SUBJECT.postgres)
  const sqlite = takenBy(measured, SUBJECT.sqlite)
  return [
    measured.drawn.queryClass.name,
    ...[SUBJECT.postgres, SUBJECT.sqlite].flatMap((name) =>
      [0.5, 0.99].map((part) => ms(millis(measured, name, part)))
    ),
    postgres === undefined || sqlite === undefined ? "–" : { value: ratio(postgres, sqlite), unit: "ratio" }
  ]
}

const laterGoal =
  ({ classes, members, roundTrip }: MeasuredGuild) => ([name, part, onSqlite]: typeof SQLITE_GOALS[number]): Goal => {
    const worst = classes.reduce<{ readonly value: number; readonly name: string }>((found, measured) => {
      const value = millis(measured, SUBJECT.postgres, part)
      return value > found.value ? { value, name: measured.drawn.queryClass.name } : found
    }, { value: 0, name: "none" })
    const wanted = onSqlite + roundTrip
    return {
      what: `search on PostgreSQL at ${members.toLocaleString("en")} members, worst class, ${name}`,
      goal: `≤ ${wanted.toFixed(2)} ms: ${onSqlite} and a round trip`,
      measured: `${worst.value.toFixed(2)} ms (${worst.name})`,
      reached: worst.value <= wanted
    }
  }

/** A row for searches of any page, whose members are read from the storage. */
const unreadRow = ({ unread }: MeasuredGuild): ReadonlyArray<Cell> => {
  const taken = (name: string, part: number) => partOf(unread.get(name) ?? [], part)
  return [
    "none, page at a random place",
    ...[SUBJECT.postgres, SUBJECT.sqlite].flatMap((name) => [0.5, 0.99].map((part) => ms(taken(name, part)))),
    { value: taken(SUBJECT.postgres, 0.5) / taken(SUBJECT.sqlite, 0.5), unit: "ratio" }
  ]
}

/** The result of the part. */
export const make = (measured: MeasuredGuild): PartResult => {
  const { classes, firstAnswer, members, roundTrip } = measured
  const wrong = classes.flatMap((one) => one.wrong)
  return {
    title: "Member search on PostgreSQL",
    facts: [["round trip of a statement, median", `${roundTrip.toFixed(3)} ms`]],
    tables: [
      {
        title: "From the start of the service to the first exact answer",
        note: "The index is built from the database; the time of the process's own start is not in it.",
        columns: ["members", SUBJECT.postgres, SUBJECT.sqlite],
        rows: [[members.toLocaleString("en"), ms(firstAnswer.postgres), ms(firstAnswer.sqlite)]]
      },
      {
        title: `Search: ${members.toLocaleString("en")} members in one guild`,
        note:
          "`MemberSearch` on either storage: the access check, the index, and the page. Subjects took turns, round by round. " +
          "The queries of a class are repeated, so the members of their pages are in memory, except in the last row, which " +
          "has pages at random places.",
        columns: ["query", "PostgreSQL median", "p99", "SQLite median", "p99", "PostgreSQL / SQLite"],
        rows: [...classes.map(row), unreadRow(measured)]
      }
    ],
    goals: [
      {
        what: `first exact search on PostgreSQL at ${members.toLocaleString("en")} members`,
        goal: `≤ ${FIRST_GOAL} s`,
        measured: `${(firstAnswer.postgres / 1000).toFixed(1)} s`,
        reached: firstAnswer.postgres <= FIRST_GOAL * 1000
      },
      ...SQLITE_GOALS.map(laterGoal(measured)),
      {
        what: "totals and pages on PostgreSQL and SQLite equal to the benchmark's own",
        goal: "all",
        measured: wrong.length === 0 ? "all" : `${wrong.length} wrong: ${wrong.slice(0, 3).join("; ")}`,
        reached: wrong.length === 0
      }
    ],
    charts: []
  }
}
