import { type Contender, row } from "../durable/Contenders.ts"
import type { Cell, Figure, Goal, MeasurementTable, PartResult } from "../report/Measurement.ts"
import { median, ratios, spread } from "../report/Statistics.ts"
import type { MeasuredNumbering } from "./EventNumbering.ts"
import type { MeasuredPosts } from "./Posts.ts"
import type { MeasuredServers } from "./Servers.ts"

/** The goal for notifications per second on PostgreSQL, relative to the raw loop. */
const POSTS_GOAL = 0.8

/** All figures of a small community. */
export interface Measured {
  readonly posts: MeasuredPosts
  readonly numbering: MeasuredNumbering
  readonly servers: MeasuredServers
}

const over = (unit: Figure["unit"], values: ReadonlyArray<number>): Figure => ({
  value: median(values),
  unit,
  spread: spread(values)
})

const of = (contender: Contender, raw: Contender): number => median(ratios(contender.perSecond, raw.perSecond))

/** Notifications, beside the raw loop. */
export const postsTable = ({ many, single }: MeasuredPosts): MeasurementTable => ({
  title: "Notifications stored per second",
  note:
    "`Webhooks.post` on either storage, against a loop of `pg` with named statements that does the same unit: begin, find " +
    "the webhook, insert the delivery, the message and the event, commit. The loop and the service have 10 connections " +
    "each. The service locks the webhook and numbers its events besides. Commits are durable. Rounds were interleaved; a " +
    "ratio is taken within a round.",
  columns: ["", "per second", "each, median round", "each, slowest round", "of the raw loop"],
  rows: [many, single].flatMap((contenders) => contenders.map((contender) => row(contender, contenders[0])))
})

/** Whether notifications on PostgreSQL are near the raw loop. */
export const postsGoal = ({ many: [raw, postgres] }: MeasuredPosts): Goal => {
  const reached = of(postgres, raw)
  const [ours, theirs] = [postgres, raw].map(({ perSecond }) => median(perSecond).toFixed(0))
  return {
    what: `notifications per second, relative to a raw loop of pg: ${postgres.name}`,
    goal: `≥ ${POSTS_GOAL}`,
    measured: `${reached.toFixed(2)} (${ours} of ${theirs})`,
    reached: reached >= POSTS_GOAL
  }
}

/** The numbering of events, which all servers share. */
export const numberingTable = (numbering: MeasuredNumbering): MeasurementTable => ({
  title: "Events numbered per second",
  note:
    "One transaction at a time moves events that are committed to the log, for all servers. Each commit is durable.",
  columns: ["events in a transaction", "events per second", "transactions per second"],
  rows: numbering.map(({ batch, perSecond }): ReadonlyArray<Cell> => [
    batch.toLocaleString("en"),
    over("per-second", perSecond),
    over("per-second", perSecond.map((events) => events / batch))
  ])
})

/** The operations on both storages. */
export const operationsTable = ({ operations }: MeasuredServers): MeasurementTable => ({
  title: "HTTP on PostgreSQL and on SQLite",
  note:
    "One server on either, as an operator runs it, 32 connections, one request at a time on each. Processor time is the " +
    "server's, without that of PostgreSQL.",
  columns: [
    "operation",
    "PostgreSQL, processor",
    "SQLite, processor",
    "ratio",
    "PostgreSQL, requests",
    "SQLite, requests",
    "ratio"
  ],
  rows: operations.map(({ operation, postgres, sqlite }): ReadonlyArray<Cell> => {
    const micros = [postgres, sqlite].map((rounds) => rounds.map(({ processorMicros }) => processorMicros))
    const rates = [postgres, sqlite].map((rounds) => rounds.map(({ requestsPerSecond }) => requestsPerSecond))
    return [
      operation,
      ...micros.map((values) => over("us", values)),
      over("ratio", ratios(micros[0] ?? [], micros[1] ?? [])),
      ...rates.map((values) => over("per-second", values)),
      over("ratio", ratios(rates[0] ?? [], rates[1] ?? []))
    ]
  })
})

/** One server, and several. */
export const serversTable = ({ servers }: MeasuredServers, cores: number): MeasurementTable => ({
  title: "Servers on one PostgreSQL",
  note:
    `Notifications of the code host by HTTP, 32 under way in all. The servers, PostgreSQL and the load generators share ${cores} ` +
    `cores${cores < 8 ? ": this shows what more servers cost, not what they add" : ""}.`,
  columns: ["servers", "per second", "of one server"],
  rows: servers.map(({ count, perSecond }): ReadonlyArray<Cell> => [
    String(count),
    over("per-second", perSecond),
    over("ratio", ratios(perSecond, servers[0]?.perSecond ?? []))
  ])
})

/** The result of the part. */
export const make = (
  { numbering, posts, servers }: Measured,
  cores: number,
  version: string
): PartResult => ({
  title: "PostgreSQL and several servers",
  facts: [["PostgreSQL", `${version}, durable commits, its usual settings`], ["cores", `${cores}, shared by all`]],
  tables: [
    postsTable(posts),
    numberingTable(numbering),
    operationsTable(servers),
    serversTable(servers, cores)
  ],
  goals: [postsGoal(posts)],
  charts: []
})
