import { inTurn } from "@community-messaging/bench/report/InTurn"
import type { Goal } from "@community-messaging/bench/report/Measurement"
import { setTimeout as sleep } from "node:timers/promises"
import { attackerToken, GUILD, TOKEN, webhookPath } from "../community/Community.ts"
import * as Raw from "../traffic/RawConnection.ts"
import { repeatedly } from "../traffic/Repeat.ts"
import type { Tally } from "../traffic/Tally.ts"
import type { Attack, Target } from "./Attack.ts"

/*
 * Clients that are slow, stall, disconnect, do not read, or are too many.
 */

const MEBIBYTE = 2 ** 20

/** The server closes a connection that it cannot write to after 30 seconds, or 60 if it could write a part. */
const UNREAD_MILLIS = 75_000

/** The server has a cap, whatever its value: the count stays below the number that was opened. */
const capped = (what: string, reached: number, opened: number): ReadonlyArray<Goal> => [{
  what: `${what}: fewer than ${opened}`,
  goal: `< ${opened}`,
  measured: String(reached),
  reached: reached < opened
}]

const openMany = (target: Target, count: number, options?: { readonly reads?: boolean }) =>
  Promise.all(Array.from({ length: count }, () => Raw.open(target, options)))

const closeAll = (connections: ReadonlyArray<Raw.RawConnection>): void => {
  for (const connection of connections) connection.close()
}

/** Counts the responses on raw connections. */
const tallyReceived = (tally: Tally, connections: ReadonlyArray<Raw.RawConnection>): void => {
  for (const connection of connections) {
    for (
      const [, status = "0", , body = ""] of connection.received().matchAll(
        /HTTP\/1\.1 (\d{3})(?:[^\r]*\r\n)((?:[^\r]+\r\n)*)\r\n(\{[^\r]*\})?/g
      )
    ) {
      tally.add({ status: Number(status), headers: {}, body })
    }
  }
}

/** How long a caller waits for a response on each of its connections. */
const RESPONSE_MILLIS = 15_000

/** Waits until each connection has a response or is closed. */
const untilAnswered = async (connections: ReadonlyArray<Raw.RawConnection>, end: number): Promise<void> => {
  if (connections.every((each) => each.isClosed() || each.received() !== "") || performance.now() > end) return
  await sleep(50)
  await untilAnswered(connections, end)
}

const authorization = (turn: number) => ({ Authorization: `Bot ${attackerToken(turn)}` })

const search = (turn: number): string =>
  `${
    Raw.head("POST", `/v1/guilds/${GUILD}/members-search`, {
      ...authorization(turn),
      "Content-Type": "application/json",
      "Content-Length": 13
    })
  }{"limit":100}`

const list = (turn: number): string => Raw.head("GET", "/v1/users/@me/scheduled-messages", authorization(turn))

/** Connections that declare a body of one MiB more than `bytes`, send `bytes` of it and stop. */
const stalledBodies = (count: number, bytes: number, leastMillis: number): Attack => ({
  name: `${count} connections stop at ${bytes / MEBIBYTE} of ${bytes / MEBIBYTE + 1} MiB`,
  leastMillis,
  run: async (target, tally, millis) => {
    const connections = await openMany(target, count)
    const body = Buffer.alloc(bytes, " ")
    for (const [turn, connection] of connections.entries()) {
      connection.send(Raw.head("POST", `${webhookPath(turn)}/github`, {
        "Content-Type": "application/json",
        "Content-Length": bytes + MEBIBYTE
      }))
      connection.send(body)
    }
    await sleep(Math.max(millis, leastMillis))
    tallyReceived(tally, connections)
    closeAll(connections)
    return []
  }
})

const slowHeads = (count: number): Attack => ({
  name: `${count} connections send a header byte by byte`,
  run: async (target, tally, millis) => {
    const connections = await openMany(target, count)
    const bytes = list(0)
    const end = performance.now() + millis
    for (let index = 0; performance.now() < end; index += 1) {
      for (const connection of connections) connection.send(bytes[index] ?? "")
      // oxlint-disable-next-line no-await-in-loop -- The attack is slow.
      await sleep(100)
    }
    tallyReceived(tally, connections)
    closeAll(connections)
    return []
  }
})

const aborted: Attack = {
  name: "requests that are aborted at once, in their body, or before the response",
  run: async (target, tally, millis) => {
    await repeatedly(millis, 16, async (turn) => {
      const connection = await Raw.open(target)
      const request = search(turn)
      connection.send(
        turn % 3 === 0 ? request.slice(0, 20 + (turn % 60)) : turn % 3 === 1 ? request.slice(0, -5) : request
      )
      await sleep(turn % 7)
      tallyReceived(tally, [connection])
      connection.close()
    })
    return []
  }
}

const pipelined = (requests: number): Attack => ({
  name: `${requests} requests at once on one connection`,
  run: async (target, tally, millis) => {
    await repeatedly(millis, 1, async () => {
      const connection = await Raw.open(target)
      connection.send(Array.from({ length: requests }, (_, turn) => list(turn)).join(""))
      await sleep(Math.min(millis, 5000))
      tallyReceived(tally, [connection])
      connection.close()
    })
    return []
  }
})

/** A connection that reads nothing does not notice that it is closed, unless it writes. */
const stillOpen = async (connections: ReadonlyArray<Raw.RawConnection>): Promise<number> => {
  await inTurn([1, 2], async () => {
    for (const connection of connections) connection.send("GET")
    await sleep(200)
  })
  return connections.filter((connection) => !connection.isClosed()).length
}

const neverReading = (count: number, leastMillis: number): Attack => ({
  name: `${count} connections send many requests and read nothing`,
  leastMillis,
  run: async (target, _tally, millis) => {
    const connections = await openMany(target, count, { reads: false })
    const requests = Array.from({ length: 300 }, (_, turn) => search(turn)).join("")
    for (const connection of connections) connection.send(requests)
    await sleep(Math.max(millis, leastMillis))
    const caps = leastMillis >= UNREAD_MILLIS
      ? capped("unread connections, open after 75 s", await stillOpen(connections), 1)
      : []
    closeAll(connections)
    return caps
  }
})

const eventStreams = (count: number): Attack => ({
  name: `${count} event streams of one key`,
  leastMillis: RESPONSE_MILLIS,
  run: async (target, tally, millis) => {
    const connections = await openMany(target, count)
    for (const connection of connections) {
      connection.send(Raw.head("GET", "/v1/admin/events", { Authorization: `Admin ${TOKEN.admin}` }))
    }
    await sleep(millis)
    await untilAnswered(connections, performance.now() + RESPONSE_MILLIS)
    const open = connections.filter((connection) => connection.received().startsWith("HTTP/1.1 200"))
    tallyReceived(tally, connections)
    closeAll(connections)
    return capped("event streams of one key", open.length, count)
  }
})

const manyConnections = (count: number): Attack => ({
  name: `${count} connections of one address`,
  leastMillis: RESPONSE_MILLIS,
  run: async (target, tally, millis) => {
    const connections = await openMany(target, count)
    await sleep(Math.min(500, millis))
    for (const connection of connections) connection.send(Raw.head("GET", "/v1/openapi.json", {}))
    await sleep(millis)
    tallyReceived(tally, connections)
    const served = connections.filter((connection) => connection.received().startsWith("HTTP/1.1 200"))
    closeAll(connections)
    return capped("connections of one address", served.length, count)
  }
})

export const clientAttacks = (short: boolean): ReadonlyArray<Attack> =>
  short
    ? [stalledBodies(10, 2 * MEBIBYTE, 500), slowHeads(20), aborted, pipelined(400), neverReading(5, 0)]
    : [
      stalledBodies(80, 24 * MEBIBYTE, RESPONSE_MILLIS),
      slowHeads(200),
      aborted,
      pipelined(4000),
      neverReading(50, UNREAD_MILLIS),
      eventStreams(400),
      manyConnections(4000)
    ]
