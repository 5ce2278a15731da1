/* oxlint-disable no-await-in-loop -- One after the other: each subject has the machine to itself. */
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { Redacted } from "effect"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import type { Facts } from "../http/Community.ts"
import { exchange, STATUS } from "../http/Exchanges.ts"
import * as Process from "../http/Process.ts"
import * as Subjects from "../http/Subjects.ts"
import { inTurn } from "../report/InTurn.ts"
import type { RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import { metricOf } from "./Metrics.ts"
import { seed } from "./SeededCommunity.ts"

/**
 * Before the first round, each server gets `before` searches, until its code is compiled: before two to three thousand, a
 * forwarded search takes more than twice its final processor time.
 */
const PLAN = {
  quick: { rounds: 3, searches: 100, before: 300 },
  full: { rounds: 10, searches: 300, before: 3000 }
} as const

/** The interval between polls in milliseconds, and the polls before the run fails. */
const POLL_MILLIS = 100
const POLLS = 600

/** The parts of a cluster's work, and the smallest share of each of two servers. */
const SHARDS = 300
const LEAST_SHARDS = 75

/** The milliseconds of each search, round by round. */
export interface MeasuredForwarding {
  readonly local: ReadonlyArray<ReadonlyArray<number>>
  readonly forwarded: ReadonlyArray<ReadonlyArray<number>>
}

/** A server of the cluster. */
interface Server {
  readonly port: number
  readonly metricsPort: number
  readonly process: Subjects.Running["process"]
}

const start = async (url: string, directory: string): Promise<Server> => {
  const metricsPort = await Subjects.freePort()
  const { port, process } = await Subjects.startOurs({
    STORAGE: "postgres",
    DATABASE_URL: url,
    DATA_DIR: directory,
    MEMBER_INDEX: "sharded",
    CLUSTER_SECRET: "a secret of the benchmark that nobody else has",
    METRICS_PORT: String(metricsPort)
  }, "any")
  return { port, metricsPort, process }
}

/** `NaN` until the server reports the metric. */
const metric = async ({ metricsPort }: Server, name: string): Promise<number> =>
  metricOf(await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text(), () => ""), name)

/** Polls until the condition holds. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (let poll = 0; poll < POLLS; poll++) {
    if (await isSo()) return
    await setTimeout(POLL_MILLIS)
  }
  throw new Error(`The cluster of two servers is not ready: ${what}.`)
}

/** Searches once; returns whether the result is exact. */
const search = async ({ port }: Server, facts: Facts, turn: number): Promise<boolean> => {
  const { body = "", headers, method, path } = exchange("member search", facts, turn, 0)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  await response.arrayBuffer()
  return response.status === STATUS["member search"]
}

/** The parts of the work that each server has. The metric of a server also counts those that it has lost. */
const shares = async (database: Client): Promise<ReadonlyArray<number>> => {
  const { rows } = await database.query<{ readonly shards: number }>(
    "SELECT count(*)::int AS shards FROM community_messaging.cluster_locks GROUP BY address"
  )
  return rows.map(({ shards }) => shards)
}

/** The server that has the guild's index, and another one. */
const divided = async (
  database: Client,
  servers: ReadonlyArray<Server>,
  facts: Facts
): Promise<readonly [Server, Server]> => {
  await until("they have not divided the work", async () => {
    const shards = await shares(database)
    const isShared = shards.length === servers.length && shards.every((count) => count >= LEAST_SHARDS)
    return isShared && shards.reduce((sum, count) => sum + count, 0) === SHARDS
  })
  await until(
    "the guild is not indexed",
    async () => (await inTurn(servers, (server) => search(server, facts, 0))).every(Boolean)
  )
  const indexes = await inTurn(servers, (server) => metric(server, "community_messaging_member_indexes"))
  const owner = servers[indexes.indexOf(1)]
  const other = servers[indexes.indexOf(0)]
  if (owner === undefined || other === undefined) {
    throw new Error(`One server must have the one index, but the servers have ${indexes.join(" and ")}.`)
  }
  return [owner, other]
}

const searches = async (server: Server, facts: Facts, howMany: number): Promise<ReadonlyArray<number>> => {
  const taken: Array<number> = []
  for (let turn = 0; turn < howMany; turn++) {
    const begin = performance.now()
    if (!await search(server, facts, turn)) throw new Error("A search failed.")
    taken.push(performance.now() - begin)
  }
  return taken
}

/** The searches on both servers, round by round. */
const measure = async (
  owner: Server,
  other: Server,
  facts: Facts,
  { calibrate, log, quick }: RunOptions
): Promise<MeasuredForwarding> => {
  const plan = PLAN[quick ? "quick" : "full"]
  const local: Array<ReadonlyArray<number>> = []
  const forwarded: Array<ReadonlyArray<number>> = []
  await searches(owner, facts, plan.before)
  await searches(other, facts, plan.before)
  for (let round = 1; round <= plan.rounds; round++) {
    log(`forwarded searches, round ${round}`)
    calibrate()
    local.push(await searches(owner, facts, plan.searches))
    forwarded.push(await searches(other, facts, plan.searches))
  }
  return { local, forwarded }
}

/** Searches a guild by HTTP on the server that has its index, and on another one, which forwards, one search at a time. */
export const run = (url: string, options: RunOptions): Promise<MeasuredForwarding> =>
  TemporaryDirectory.use(async (directory) => {
    options.log("making a community to search")
    const facts = await seed(StoragePostgres.layer({ url: Redacted.make(url) }), join(directory, "facts.json"))
    const database = new Client({ connectionString: url })
    await database.connect()
    const servers = await inTurn([1, 2], () => start(url, directory))
    try {
      const [owner, other] = await divided(database, servers, facts)
      return await measure(owner, other, facts, options)
    } finally {
      await inTurn(servers, ({ process }) => Process.stop(process))
      await database.end()
    }
  })
