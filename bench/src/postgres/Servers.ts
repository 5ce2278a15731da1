/* oxlint-disable no-await-in-loop -- One after the other: each subject has the machine to itself. */
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Redacted } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type * as Community from "../http/Community.ts"
import { exchange, MEASURED, type Measured, STATUS } from "../http/Exchanges.ts"
import { CONNECTIONS } from "../http/Load.ts"
import * as LoadGenerator from "../http/LoadGenerator.ts"
import * as Process from "../http/Process.ts"
import * as Subjects from "../http/Subjects.ts"
import { inTurn } from "../report/InTurn.ts"
import type { RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import { seed } from "./SeededCommunity.ts"

/** The compared numbers of servers. */
export const SERVERS = [1, 2, 4] as const

const PLAN = {
  quick: { warmUp: 300, requests: 600, rounds: 1 },
  full: { warmUp: 500, requests: 1000, rounds: 3 }
} as const

/** Processor time and requests per second of an operation, round by round. */
export interface OperationRounds {
  readonly operation: Measured
  readonly postgres: Array<OperationRound>
  readonly sqlite: Array<OperationRound>
}

interface OperationRound {
  readonly processorMicros: number
  readonly requestsPerSecond: number
}

/** The figures. */
export interface MeasuredServers {
  readonly operations: ReadonlyArray<OperationRounds>
  /** Notifications per second through that many servers on one database, round by round. */
  readonly servers: ReadonlyArray<{ readonly count: number; readonly perSecond: Array<number> }>
}

/** A server with a load generator for the community of its storage. */
interface Loaded {
  readonly server: Pick<Subjects.Running, "port" | "process">
  readonly load: ReturnType<typeof LoadGenerator.start>
}

/** Searches the guild until its index has been built. */
const untilIndexed = async (port: number, facts: Community.Facts): Promise<void> => {
  const { body, headers, method, path } = exchange("member search", facts, 0, 0)
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...body !== undefined && { body }
    })
    if (status === STATUS["member search"]) return
    await setTimeout(50)
  }
}

let passes = 0

/** Sends that many requests on that many connections. Returns requests per second, and the processor time of each. */
const send = async (
  { load, server }: Loaded,
  operation: Measured,
  requests: number,
  connections: number = CONNECTIONS
): Promise<OperationRound> => {
  passes += 1
  const before = await Subjects.processorMicros(server)
  const { requests: answered, requestsPerSecond } = await load.run({
    port: server.port,
    operation,
    requests,
    connections,
    pass: passes
  })
  return { requestsPerSecond, processorMicros: (await Subjects.processorMicros(server) - before) / answered }
}

/** The eight operations, by one server on PostgreSQL and one on SQLite in turn. */
const measureOperations = async (
  postgres: Loaded,
  sqlite: Loaded,
  { calibrate, log, quick }: RunOptions
): Promise<MeasuredServers["operations"]> => {
  const { requests, rounds, warmUp } = PLAN[quick ? "quick" : "full"]
  const measured = MEASURED.map((operation): OperationRounds => ({ operation, postgres: [], sqlite: [] }))
  log("HTTP on PostgreSQL and on SQLite: warming up")
  for (const operation of MEASURED) {
    await send(postgres, operation, warmUp)
    await send(sqlite, operation, warmUp)
  }
  for (let round = 1; round <= rounds; round++) {
    log(`HTTP on PostgreSQL and on SQLite, round ${round}`)
    for (const one of measured) {
      calibrate()
      one.postgres.push(await send(postgres, one.operation, requests))
      one.sqlite.push(await send(sqlite, one.operation, requests))
    }
  }
  return measured
}

/** Notifications through one, two and four servers, with the same number in flight in all. */
const measureCounts = async (
  all: ReadonlyArray<Loaded>,
  { calibrate, log, quick }: RunOptions
): Promise<MeasuredServers["servers"]> => {
  const { requests, rounds, warmUp } = PLAN[quick ? "quick" : "full"]
  const measured = SERVERS.map((count) => ({ count, perSecond: new Array<number>() }))
  await inTurn(all, (one) => send(one, "code host", warmUp))
  for (let round = 1; round <= rounds; round++) {
    log(`servers on one PostgreSQL, round ${round}`)
    for (const { count, perSecond } of measured) {
      calibrate()
      const begin = performance.now()
      await Promise.all(
        all.slice(0, count).map((one) => send(one, "code host", requests / count, CONNECTIONS / count))
      )
      perSecond.push(requests * 1000 / (performance.now() - begin))
    }
  }
  return measured
}

const stop = ({ load, server }: Loaded) => Promise.all([load.stop(), Process.stop(server.process)])

/** Requests through servers on one PostgreSQL, beside them through one on SQLite. */
export const run = (url: string, options: RunOptions): Promise<MeasuredServers> =>
  TemporaryDirectory.use(async (directory) => {
    const running: Array<Loaded> = []
    const start = async (settings: Readonly<Record<string, string>>, factsFile: string, pinned: boolean) => {
      const server = await Subjects.startOurs(settings, pinned ? "server" : "any")
      const loaded = { server, load: LoadGenerator.start(factsFile, pinned ? "load" : "any") }
      running.push(loaded)
      return loaded
    }
    const files = { postgres: join(directory, "postgres.json"), sqlite: join(directory, "sqlite.json") }
    const data = join(directory, "data")
    mkdirSync(data)
    options.log("making communities to work on")
    const facts = await seed(StoragePostgres.layer({ url: Redacted.make(url) }), files.postgres)
    const own = await seed(StorageSqlite.layer({ filename: join(data, Subjects.DATABASE) }), files.sqlite)
    const onPostgres = { STORAGE: "postgres", DATABASE_URL: url, DATA_DIR: directory }
    try {
      const postgres = await start(onPostgres, files.postgres, true)
      const sqlite = await start({ STORAGE: "sqlite", DATA_DIR: data }, files.sqlite, true)
      await untilIndexed(postgres.server.port, facts)
      await untilIndexed(sqlite.server.port, own)
      const operations = await measureOperations(postgres, sqlite, options)
      await inTurn([postgres, sqlite], stop)
      const all = await inTurn(
        Array.from({ length: Math.max(...SERVERS) }),
        () => start(onPostgres, files.postgres, false)
      )
      return { operations, servers: await measureCounts(all, options) }
    } finally {
      await inTurn(running, stop)
    }
  })
