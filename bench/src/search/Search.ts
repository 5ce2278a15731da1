import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { inTurn } from "../report/InTurn.ts"
import type { Part, PartResult, RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import * as ChangeThroughPorts from "./index-cost/ChangeThroughPorts.ts"
import * as IndexItself from "./index-cost/IndexItself.ts"
import * as IndexReport from "./index-cost/IndexReport.ts"
import { restart } from "./index-cost/Restart.ts"
import { FULL, type Plan, QUICK } from "./Plan.ts"
import { prepare } from "./Preparation.ts"
import * as SearchReport from "./SearchReport.ts"
import { SUBJECT } from "./SearchReport.ts"
import * as SearchRounds from "./SearchRounds.ts"
import * as MemberIndexSubject from "./subject/MemberIndexSubject.ts"
import * as MemberSearchSubject from "./subject/MemberSearchSubject.ts"
import * as PostgresServer from "./subject/PostgresServer.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"
import * as SqliteMembers from "./subject/SqliteMembers.ts"

/** All measurements at one number of members, with one community and one database of the service. */
const measureSize = (plan: Plan, postgres: PostgresConnection | undefined, options: RunOptions) =>
  TemporaryDirectory.use(async (directory) => {
    const log = (line: string) => options.log(`${plan.members.toLocaleString("en")} members: ${line}`)
    const { build, changing, drawn, index, large, peers, serviceFile, small } = await prepare(
      plan,
      directory,
      postgres,
      log
    )
    const closing: Array<{ readonly close: () => Promise<void> }> = [peers]
    try {
      options.calibrate()
      log("starting the service under load")
      const firstStart = await restart({ filename: serviceFile, large, small })
      options.calibrate()
      log("starting the service again")
      const storage = StorageSqlite.layer({ filename: serviceFile })
      const { firstAnswer, service, subject } = await MemberSearchSubject.start(SUBJECT.service, storage, large)
      closing.unshift(subject)
      const subjects = [MemberIndexSubject.make(SUBJECT.index, index), subject, ...peers.subjects]
      const classes = await SearchRounds.measure(drawn, subjects, plan, (name) => {
        log(`searching: ${name}`)
        options.calibrate()
      })
      log("changing members")
      const itself = { ...build, ...IndexItself.change(index, changing) }
      const ports = await ChangeThroughPorts.measure(service, large, changing.slice(0, plan.durableChanges))
      return {
        cost: { itself, ports, firstStart, warmStart: firstAnswer },
        search: { members: plan.members, classes }
      }
    } finally {
      await inTurn(closing, ({ close }) => close())
    }
  })

/** A connection to PostgreSQL, or the reason why there is none. */
const connectPostgres = async (): Promise<PostgresConnection | string> => {
  try {
    return await PostgresServer.connect()
  } catch (error) {
    return `not measured: ${String(error).split("\n", 1).join("")}`
  }
}

const measureAll = async (options: RunOptions, found: PostgresConnection | string): Promise<PartResult> => {
  const postgres = typeof found === "string" ? undefined : found
  const sizes = await inTurn(options.quick ? QUICK : FULL, (plan) => measureSize(plan, postgres, options))
  const largest = sizes.slice(-1)
  const searches = sizes.map(({ search }) => search)
  return {
    title: "Member search",
    facts: [
      ["SQLite of LIKE and FTS5", SqliteMembers.version()],
      ["PostgreSQL", typeof found === "string" ? found : found.version]
    ],
    tables: [...searches.map(SearchReport.table), IndexReport.table(sizes.map(({ cost }) => cost))],
    goals: [
      SearchReport.correctness(searches),
      ...largest.flatMap(({ cost, search }) => [...SearchReport.goals(search), ...IndexReport.goals(cost)])
    ],
    charts: largest.map(({ search }) => SearchReport.chart(search))
  }
}

/**
 * Member search by class of query at several numbers of members, against other databases, and the cost of the index. The
 * goals apply to the largest number.
 */
export const run: Part = async (options) => {
  const found = await connectPostgres()
  try {
    return await measureAll(options, found)
  } finally {
    if (typeof found !== "string") await found.close()
  }
}
