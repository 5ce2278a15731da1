import { inTurn } from "@community-messaging/bench/report/InTurn"
import type { Goal } from "@community-messaging/bench/report/Measurement"
import Database from "better-sqlite3"
import { spawnSync } from "node:child_process"
import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { attackerToken, webhookPath } from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import * as Server from "../server/ServerProcess.ts"
import { type Answer, exchange, outcomeOf } from "../traffic/HttpExchange.ts"
import { repeatedly } from "../traffic/Repeat.ts"
import * as Tally from "../traffic/Tally.ts"

/*
 * Faults of the machine: a full disk, a folder that cannot be written, a clock that jumps, a database that another process
 * has locked. The server responds with 503 meanwhile, and serves as before afterwards.
 */

/** `clockAhead` needs a low limit on the list; writes are not limited. */
const SETTINGS = {
  REQUEST_TIMEOUT: "1 seconds",
  RATE_LIMIT_SCHEDULED_MESSAGES: "5/1 second",
  RATE_LIMIT_WEBHOOK_NOTIFICATION: "1000000/minute",
  RATE_LIMIT_GLOBAL: "100000/second"
}

let deliveries = 0

/** A write. */
const post = (server: Server.ServerProcess): Promise<Answer> => {
  deliveries += 1
  return exchange(server, {
    path: `${webhookPath(deliveries)}/sentry`,
    headers: { "request-id": `environment-${deliveries}` },
    body: { action: "created", data: { issue: { id: "1", title: `environment ${deliveries} ${"x".repeat(200)}` } } }
  })
}

/** How long a server may take to serve again after the end of a fault. */
const RECOVERY_MILLIS = 10_000

const healed = async (name: string, server: Server.ServerProcess): Promise<Goal> => {
  const end = performance.now() + RECOVERY_MILLIS
  const look = async (): Promise<boolean> => {
    if ((await post(server)).status === 204) return true
    if (performance.now() > end) return false
    await sleep(100)
    return look()
  }
  return Bound.holds(`${name}: serves again within 10 s`, await look())
}

/** Writes during a fault: only 204 and 503 are correct, and 503 must occur. */
const during = async (name: string, server: Server.ServerProcess, millis: number): Promise<ReadonlyArray<Goal>> => {
  const tally = Tally.make()
  const others: Array<string> = []
  await repeatedly(millis, 8, async () => {
    const answer = await post(server)
    tally.add(answer)
    if (answer.status !== 204 && answer.status !== 503) others.push(outcomeOf(answer))
    if (answer.status !== 204) await sleep(20)
  })
  return [
    Bound.none(`${name}: responses other than 204 and 503`, others),
    Bound.holds(`${name}: the server responds with 503`, /503/.test(tally.describe()), tally.describe())
  ]
}

/** Files of the process cannot grow beyond their present size: every write at their end fails, as on a full disk. */
const fullDisk = async (server: Server.ServerProcess, millis: number): Promise<ReadonlyArray<Goal>> => {
  await post(server)
  const limit = (bytes: string) => spawnSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}`])
  const sizes = readdirSync(server.directory).map((name) => statSync(join(server.directory, name)).size)
  limit(`${Math.max(...sizes)}:unlimited`)
  const found = await during("full disk", server, millis)
  limit("unlimited:unlimited")
  return [...found, await healed("full disk", server)]
}

const foreignLock = async (server: Server.ServerProcess, millis: number): Promise<ReadonlyArray<Goal>> => {
  const database = new Database(join(server.directory, Server.DATABASE))
  database.exec("BEGIN IMMEDIATE")
  const found = await during("lock by another process", server, millis)
  database.exec("ROLLBACK")
  database.close()
  return [...found, await healed("lock by another process", server)]
}

/** Takes the right to write protected files from root, but not the right to read them, which the program may need. */
const WITHOUT_ROOT_WRITES = process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override"] : []

/** A server that cannot write to its folder does not start, and reports the reason in one line. */
const readOnlyFolder = (): Promise<ReadonlyArray<Goal>> =>
  DataDirectory.use(0, async (directory) => {
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o400)
    chmodSync(directory, 0o500)
    const started = await Server.start({ directory, settings: SETTINGS, under: WITHOUT_ROOT_WRITES }).then(
      async (server) => {
        const answer = await post(server)
        await server.kill()
        return `it starts, and a write is ${outcomeOf(answer)}`
      },
      (error: unknown) => String(error)
    )
    chmodSync(directory, 0o700)
    const lines = started.split("\n").slice(1).filter((line) => line !== "")
    const isRight = lines.length === 1 && (lines[0] ?? "").startsWith("community-messaging: ")
    return [Bound.holds("read-only folder: refused in one line", isRight, lines[0] ?? started)]
  })

const DAY_MILLIS = 86_400_000

const LIST_WINDOW_MILLIS = 1000

const SHIFTED_CLOCK = [new URL("../server/ShiftedClock.js", import.meta.url).href]

const list = (server: Server.ServerProcess): Promise<Answer> =>
  exchange(server, {
    path: "/v1/users/@me/scheduled-messages",
    headers: { authorization: `Bot ${attackerToken(0)}` }
  })

/** A clock that was a day ahead, and is set back, locks no caller out. */
const clockAhead = async (server: Server.ServerProcess): Promise<ReadonlyArray<Goal>> => {
  server.send({ shift: DAY_MILLIS })
  const ahead = await inTurn(Array.from({ length: 10 }), () => list(server))
  server.send({ shift: 0 })
  await sleep(2 * LIST_WINDOW_MILLIS)
  const back = await list(server)
  const posted = await post(server)
  const limited = ahead.filter(({ status }) => status === 429)
  return [
    Bound.holds("clock a day ahead: limits still count", limited.length > 0, `${limited.length} of 10 refused`),
    Bound.holds("clock set back: callers are served", back.status === 200, outcomeOf(back)),
    Bound.holds("clock set back: writes are accepted", posted.status === 204, outcomeOf(posted))
  ]
}

/** A server with a clock that is behind the last id of the storage. */
const clockBehind = (millis: number): Promise<ReadonlyArray<Goal>> =>
  DataDirectory.use(0, async (directory) => {
    const settings = { RATE_LIMITS: "off" }
    await Server.use({ directory, settings }, (server) => repeatedly(200, 8, () => post(server)))
    return Server.use(
      { directory, settings: { ...settings, CLOCK_SHIFT: "-15000" }, preload: SHIFTED_CLOCK },
      async (server) => {
        const refused: Array<string> = []
        await repeatedly(millis, 8, async () => {
          const answer = await post(server)
          if (answer.status !== 204) refused.push(outcomeOf(answer))
        })
        return [Bound.none("clock 15 s behind the last id: writes that are not accepted", refused)]
      }
    )
  })

const SHORT_MILLIS = 200

export const run: Part = async ({ log, seconds, serve, short }) => {
  if (short) return serve(async (server) => ({ tables: [], bounds: await fullDisk(server, SHORT_MILLIS) }))
  const millis = (seconds * 1000) / 3
  const bounds = await DataDirectory.use(
    0,
    (directory) =>
      Server.use({ directory, settings: SETTINGS, preload: SHIFTED_CLOCK }, async (server) => {
        log("full disk")
        const disk = await fullDisk(server, millis)
        log("lock by another process")
        const lock = await foreignLock(server, millis)
        log("clock a day ahead")
        const clock = await clockAhead(server)
        return [
          ...disk,
          ...lock,
          ...clock,
          Bound.holds("the server still runs", server.isRunning()),
          Bound.none("errors in the log", server.errors())
        ]
      })
  )
  log("clock behind")
  const behind = await clockBehind(millis)
  log("read-only folder")
  return { tables: [], bounds: [...bounds, ...behind, ...await readOnlyFolder()] }
}
