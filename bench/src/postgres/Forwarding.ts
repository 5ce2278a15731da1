/* oxlint-disable no-await-in-loop -- One after the other: whatever is measured has the machine for itself. */
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
 * Before the first round, each server is asked so often that its code is compiled: forwarded searches take their lasting
 * processor time after two to three thousand, and more than twice as much before.
 */
const PLAN = {
  quick: { rounds: 3, searches: 100, before: 300 },
  full: { rounds: 10, searches: 300, before: 3000 }
} as const

/** How often the servers are asked, in milliseconds, and how many times until they are given up. */
const LOOK_MILLIS = 100
const LOOKS = 600

/** Into how many parts a cluster divides its work, and how many of them each of two servers has at least. */
const SHARDS = 300
const LEAST_SHARDS = 75

/** What was measured: of each search its milliseconds, round by round. */
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

/** Not a number while the server does not tell of it. */
const metric = async ({ metricsPort }: Server, name: string): Promise<number> =>
  metricOf(await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text(), () => ""), name)

/** Asks again and again until that is so. */
const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (let look = 0; look < LOOKS; look++) {
    if (await isSo()) return
    await setTimeout(LOOK_MILLIS)
  }
  throw new Error(`Servers that divide the guilds among themselves: ${what}.`)
}

/** Searches once: whether the answer was exact. */
const search = async ({ port }: Server, facts: Facts, turn: number): Promise<boolean> => {
  const { body = "", headers, method, path } = exchange("member search", facts, turn, 0)
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })
  await response.arrayBuffer()
  return response.status === STATUS["member search"]
}

/** How many parts of the work each server has: the metric of a server does not tell of those that it gave away. */
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
  await until("they have not shared the work", async () => {
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
    throw new Error(`One server has the index of a guild, but they have ${indexes.join(" and ")}.`)
  }
  return [owner, other]
}

const searches = async (server: Server, facts: Facts, howMany: number): Promise<ReadonlyArray<number>> => {
  const taken: Array<number> = []
  for (let turn = 0; turn < howMany; turn++) {
    const begin = performance.now()
    if (!await search(server, facts, turn)) throw new Error("The other server did not answer.")
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
