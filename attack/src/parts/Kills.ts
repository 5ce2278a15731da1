import { inTurn } from "@community-messaging/bench/report/InTurn"
import Database from "better-sqlite3"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { SIZE, targetId, TOKEN, webhookPath } from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Assignment, Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import * as Server from "../server/ServerProcess.ts"
import { exchange } from "../traffic/HttpExchange.ts"
import * as Tally from "../traffic/Tally.ts"

/*
 * kill -9 under load, many times: nothing that was acknowledged is lost, and nothing is done twice. Like a provider, a
 * sender repeats a delivery that was not acknowledged, with the same id.
 */

const SENDERS = 12

/** The least and the most time between the start and the kill. */
const LIFE_MILLIS = { least: 30, most: 600 }

/** Servers that run at the same time, each on its own data: no bound depends on time, and a start mostly waits. */
const LANES = 3

const KILLS_PER_SECOND = 200 / 140

const titleOf = (number: number): string => `notification ${number}.`

/** The requests that were sent and acknowledged. */
interface Ledger {
  readonly tally: Tally.Tally
  readonly acknowledged: Set<number>
  /** By account: the last acknowledged address, and those that were sent since, which may be stored, too. */
  readonly emails: Map<string, ReadonlyArray<string>>
  /** Deliveries to repeat. */
  readonly open: Array<number>
  next: number
}

const newLedger = (): Ledger => ({
  tally: Tally.make(),
  acknowledged: new Set(),
  emails: new Map(),
  open: [],
  next: 0
})

const deliver = async (ledger: Ledger, server: Server.ServerProcess): Promise<void> => {
  const number = ledger.open.pop() ?? ledger.next++
  const answer = await exchange(server, {
    path: `${webhookPath(number)}/sentry`,
    headers: { "request-id": `notification-${number}` },
    body: { action: "created", data: { issue: { id: "1", title: titleOf(number) } } }
  })
  if (answer.status !== 0) ledger.tally.add(answer)
  if (answer.status === 204) ledger.acknowledged.add(number)
  else ledger.open.push(number)
}

const changeEmail = async (ledger: Ledger, server: Server.ServerProcess, turn: number): Promise<void> => {
  const id = targetId(turn)
  const sent = `target${id}.${turn}@example.org`
  ledger.emails.set(id, [...ledger.emails.get(id) ?? [""], sent])
  const answer = await exchange(server, {
    path: "/v1/admin/users/change-email",
    headers: { authorization: `Admin ${TOKEN.admin}` },
    body: { user_id: id, email: sent }
  })
  if (answer.status !== 0) ledger.tally.add(answer)
  if (answer.status === 200) ledger.emails.set(id, [sent])
}

/** Sends until the server has ended. The first sender changes e-mail addresses, one after the other. */
const load = (ledger: Ledger, server: Server.ServerProcess, firstTurn: number): Promise<unknown> => {
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = firstTurn; server.isRunning(); turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- A sender waits for its response.
      await (sender === 0 ? changeEmail(ledger, server, turn) : deliver(ledger, server))
    }
  })
  return Promise.all(senders)
}

/** Kills a server within its first second, or while it recovers; then starts the next one. */
const killInTurn = async (
  { random }: Assignment,
  directory: string,
  kills: number,
  ledger: Ledger,
  killed: () => void
) => {
  const settings = { RATE_LIMITS: "off" }
  await inTurn(Array.from({ length: kills }), async (_, kill) => {
    const server = await Server.start({ directory, settings })
    const loaded = load(ledger, server, kill * 10_000)
    await sleep(LIFE_MILLIS.least + random.below(LIFE_MILLIS.most - LIFE_MILLIS.least))
    await server.kill()
    await loaded
    killed()
  })
  // Repeats the open deliveries to a server that is not killed.
  await Server.use({ directory, settings }, async (server) => {
    await inTurn(Array.from(ledger.open), () => deliver(ledger, server))
  })
}

const damage = (directory: string): ReadonlyArray<string> => {
  const database = new Database(join(directory, Server.DATABASE))
  try {
    const found: unknown = database.pragma("integrity_check", { simple: true })
    return found === "ok" ? [] : [String(found)]
  } finally {
    database.close()
  }
}

/** The losses, duplicates and damage after the kills of one lane. */
interface Found {
  readonly lost: ReadonlyArray<string>
  readonly twice: ReadonlyArray<string>
  readonly lostEmails: ReadonlyArray<string>
  readonly damage: ReadonlyArray<string>
}

const inspect = async (directory: string, ledger: Ledger): Promise<Found> => {
  const exported = await DataDirectory.exportFrom(directory)
  const posted = DataDirectory.postedTimes(exported, (line) => /notification \d+\./.exec(line)?.[0])
  const emails = new Map<string, string>()
  for (const { email, id, kind } of exported) {
    if (kind === "user" && typeof id === "string" && typeof email === "string") emails.set(id, email)
  }
  const lostEmails = Array.from(ledger.emails).filter(([id, possible]) => !possible.includes(emails.get(id) ?? ""))
  return {
    lost: Array.from(ledger.acknowledged, titleOf).filter((title) => !posted.has(title)),
    twice: [...posted].flatMap(([title, times]) => times > 1 ? [title] : []),
    lostEmails: lostEmails.map(([id]) => id),
    damage: damage(directory)
  }
}

export const run: Part = async (assignment) => {
  const kills = Math.max(1, Math.round(assignment.seconds * KILLS_PER_SECOND))
  const ledgers = Array.from({ length: Math.min(LANES, kills) }, newLedger)
  let killed = 0
  const report = () => {
    killed += 1
    if (killed % 20 > 0) return
    const deliveries = ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    assignment.log(`${killed} kills, ${deliveries} deliveries`)
  }
  const found = await Promise.all(ledgers.map((ledger, lane) =>
    DataDirectory.use(0, async (directory) => {
      const ofLane = Math.floor((kills + lane) / ledgers.length)
      await killInTurn(assignment, directory, ofLane, ledger, report)
      return inspect(directory, ledger)
    })
  ))
  return {
    tables: [{
      title: "Kills",
      columns: ["kills", "deliveries acknowledged", "accounts with a changed address", "responses"],
      rows: ledgers.map((ledger, lane) => [
        { value: Math.floor((kills + lane) / ledgers.length), unit: "count" },
        { value: ledger.acknowledged.size, unit: "count" },
        { value: Math.min(SIZE.targets, ledger.emails.size), unit: "count" },
        ledger.tally.describe()
      ])
    }],
    bounds: [
      Bound.none("acknowledged deliveries that are lost", found.flatMap(({ lost }) => lost)),
      Bound.none("deliveries that were posted twice", found.flatMap(({ twice }) => twice)),
      Bound.none("acknowledged e-mail addresses that are lost", found.flatMap(({ lostEmails }) => lostEmails)),
      Bound.none("deliveries that were never acknowledged", ledgers.flatMap(({ open }) => open.map(titleOf))),
      Bound.none("damage of the database", found.flatMap((lane) => lane.damage)),
      Bound.none("5xx other than 503", ledgers.flatMap(({ tally }) => tally.forbidden()))
    ]
  }
}
