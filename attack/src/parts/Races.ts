import { nextMessage } from "@community-messaging/bench/http/Process"
import { inTurn } from "@community-messaging/bench/report/InTurn"
import { Schema } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import {
  APPLICATION,
  attackerToken,
  CHANNEL,
  type Entry,
  numbers,
  REDIRECT_URI,
  SIZE,
  targetId,
  TOKEN,
  user,
  webhookPath
} from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Assignment, Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import * as Server from "../server/ServerProcess.ts"
import { deletedUsers } from "../traffic/EventStream.ts"
import { exchange, outcomeOf } from "../traffic/HttpExchange.ts"
import * as Tally from "../traffic/Tally.ts"

/*
 * Two servers on one data directory get the same work at the same time: nothing is done twice.
 */

/** The two servers, and the counts of their responses. */
interface Race {
  readonly servers: readonly [Server.ServerProcess, Server.ServerProcess]
  readonly tally: Tally.Tally
}

const FIRST_DOOMED = 70_000
const FIRST_SCHEDULED = 80_000
const MESSAGES_PER_AUTHOR = 100

/** The due work, and the time before it is due, for preparation. */
const DUE = { accounts: 500, messages: MESSAGES_PER_AUTHOR * SIZE.attackers, inMillis: 30_000 }
const CODES = 400

/** Time in which a duplicate would occur. */
const SETTLE_MILLIS = 5000

/** Accounts and messages that are due at that time. */
const dueEntries = (dueAt: number): ReadonlyArray<Entry> => {
  const at = new Date(dueAt).toISOString()
  return [
    ...numbers(DUE.accounts).map((index) =>
      user(String(FIRST_DOOMED + index), `doomed${index}`, {
        email: `doomed${index}@example.org`,
        pending_deletion_at: at,
        deletion_reason_code: 1
      })
    ),
    ...numbers(DUE.messages).map((index): Entry => ({
      kind: "scheduled_message",
      id: String(FIRST_SCHEDULED + index),
      author_id: String(4000 + Math.floor(index / MESSAGES_PER_AUTHOR)),
      channel_id: CHANNEL,
      scheduled_at: at,
      scheduled_local_at: at.slice(0, -1).replace(/\.\d+$/, ""),
      timezone: "UTC",
      status: "scheduled",
      payload: { content: `due ${index}` },
      created_at: "2024-01-01T00:00:00.000Z"
    }))
  ]
}

/** Sends the same request to both servers, `times` times at once. */
const toBoth = ({ servers, tally }: Race, times: number, sent: Parameters<typeof exchange>[1]) =>
  Promise.all(
    numbers(times).flatMap(() =>
      servers.map(async (server) => {
        const answer = await exchange(server, sent)
        tally.add(answer)
        return answer
      })
    )
  )

/** Spellings of one address: case, full width, and a compatibility form in the domain. */
const spellings = (round: number): ReadonlyArray<string> => [
  `round${round}@example.org`,
  `ROUND${round}@Example.ORG`,
  `ｒｏｕｎｄ${round}@example.org`,
  `round${round}@ｅｘａｍｐｌｅ.org`
]

/** Requests for many accounts to get the same address: one gets it. */
const emails = async (race: Race, rounds: number): Promise<ReadonlyArray<string>> => {
  const found = await inTurn(numbers(rounds), async (round) => {
    const answers = await Promise.all(
      numbers(8).flatMap((index) =>
        race.servers.map(async (server, side) => {
          const email = spellings(round)[index % 4] ?? ""
          const answer = await exchange(server, {
            path: "/v1/admin/users/change-email",
            headers: { authorization: `Admin ${TOKEN.admin}` },
            body: { user_id: targetId(index * 2 + side), email }
          })
          race.tally.add(answer)
          return { email, outcome: outcomeOf(answer) }
        })
      )
    )
    const winners = answers.filter(({ outcome }) => outcome === "200")
    return winners.length === 1
      ? []
      : [`round ${round}: ${winners.length === 0 ? "nobody" : winners.map(({ email }) => email).join(", ")}`]
  })
  return found.flat()
}

const RedeemedCodes = Schema.Array(Schema.String)

const redeeming = (directory: string, worker: number): ChildProcess =>
  fork(fileURLToPath(new URL("RedeemingProcess.js", import.meta.url)), [
    join(directory, Server.DATABASE),
    String(worker)
  ])

/** Two programs redeem the same codes at once: each code is redeemed once. */
const codes = async (race: Race, directory: string, count: number): Promise<ReadonlyArray<string>> => {
  const granted = await Promise.all(
    numbers(count).map(async (index) => {
      const answer = await exchange(race.servers[index % 2 === 0 ? 0 : 1], {
        path: "/v1/oauth2/authorize/consent",
        headers: { authorization: `Bot ${attackerToken(index)}` },
        body: { client_id: APPLICATION, scope: "identify", redirect_uri: REDIRECT_URI }
      })
      race.tally.add(answer)
      return /code=([\w-]+)/.exec(answer.body)?.[1] ?? `none for ${index}`
    })
  )
  const processes = [redeeming(directory, 900), redeeming(directory, 901)]
  const redeemed = await Promise.all(processes.map(async (child) => {
    child.send(granted)
    const message = await nextMessage(child)
    child.kill("SIGKILL")
    return Schema.decodeUnknownSync(RedeemedCodes)(message)
  }))
  const times = granted.map((code) => redeemed.flat().filter((other) => other === code).length)
  return times.flatMap((each, index) => each === 1 ? [] : [`code ${index} was redeemed ${each} times`])
}

/** The wanted texts that were not posted exactly once. */
const postedWrong = (
  exported: ReadonlyArray<DataDirectory.Exported>,
  wanted: ReadonlyArray<string>,
  textOf: (line: string) => string | undefined
): ReadonlyArray<string> => {
  const times = DataDirectory.postedTimes(exported, textOf)
  return wanted.flatMap((text) => times.get(text) === 1 ? [] : [`${text}: ${times.get(text) ?? 0} times`])
}

const twice = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, index) => ids.indexOf(id) !== index)

/** Races that need only the two servers. */
const raceOfRequests = async ({ log }: Assignment, race: Race, directory: string) => {
  log("e-mail addresses")
  const wrongEmails = await emails(race, 200)
  log("repeated deliveries of webhooks")
  const deliveries = numbers(300)
  await inTurn(deliveries, (delivery) =>
    toBoth(race, 3, {
      path: `${webhookPath(delivery)}/sentry`,
      headers: { "request-id": `delivery-${delivery}` },
      body: { action: "created", data: { issue: { id: "1", title: `delivery ${delivery}.` } } }
    }))
  const exported = await DataDirectory.exportFrom(directory)
  const wanted = deliveries.map((each) => `delivery ${each}.`)
  return [
    Bound.none("addresses that none or several accounts got", wrongEmails),
    Bound.none(
      "deliveries that were not posted exactly once",
      postedWrong(exported, wanted, (text) => /delivery \d+\./.exec(text)?.[0])
    )
  ]
}

/** Work that becomes due while both servers run, and codes that two more programs redeem. */
const raceOfPrograms = async ({ log }: Assignment, race: Race, directory: string, dueAt: number) => {
  log("authorization codes")
  const wrongCodes = await codes(race, directory, CODES)
  log("due deletions and messages")
  await sleep(Math.max(0, dueAt - Date.now()))
  const deleted = await deletedUsers(race.servers[0], DUE.accounts)
  await sleep(SETTLE_MILLIS)
  const exported = await DataDirectory.exportFrom(directory)
  const alive = exported.filter((entry) => entry["kind"] === "user" && String(entry["email"]).startsWith("doomed"))
  const wanted = numbers(DUE.messages).map((each) => `due ${each}`)
  return [
    Bound.none("codes that were not redeemed exactly once", wrongCodes),
    Bound.none(
      "due messages that were not posted exactly once",
      postedWrong(exported, wanted, (text) => /"content":"(due \d+)"/.exec(text)?.[1])
    ),
    Bound.none("accounts whose deletion happened twice", twice(deleted)),
    Bound.none("due accounts that were not deleted", alive.map(({ id }) => String(id)))
  ]
}

const SETTINGS = { RATE_LIMITS: "off", CLAIM_LEASE: "1 seconds" }

export const run: Part = (assignment) =>
  DataDirectory.use(0, async (directory) => {
    const dueAt = Math.ceil((Date.now() + DUE.inMillis) / 1000) * 1000
    await DataDirectory.importInto(directory, dueEntries(dueAt))
    const bounds = await Server.use({ directory, settings: SETTINGS }, (first) =>
      Server.use({ directory, settings: SETTINGS, name: "second" }, async (second) => {
        const race: Race = { servers: [first, second], tally: Tally.make() }
        const requests = await raceOfRequests(assignment, race, directory)
        const programs = await raceOfPrograms(assignment, race, directory, dueAt)
        return [
          ...requests,
          ...programs,
          Bound.none("5xx other than 503", race.tally.forbidden()),
          Bound.none(
            "errors in the logs",
            race.servers.flatMap(({ errors }) =>
              errors()
            )
          )
        ]
      }))
    return { tables: [], bounds }
  })
