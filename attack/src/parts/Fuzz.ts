import { inTurn } from "@community-messaging/bench/report/InTurn"
import { flow, Option, Schema } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { draw, RAW_REQUESTS } from "../fuzz/Requests.ts"
import type { Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import type { ServerProcess } from "../server/ServerProcess.ts"
import { type Answer, exchange, type Sent } from "../traffic/HttpExchange.ts"
import * as Raw from "../traffic/RawConnection.ts"
import * as Tally from "../traffic/Tally.ts"

/*
 * Random requests from the definition of the API, and variations of them. Every response has the documented shape.
 */

const CONCURRENCY = 16

/** Requests of a batch for each endpoint. */
const BATCH = { short: 25, long: 100 }

/** What a response must not contain: a stack, a path of a file, words of the storage or a library. */
const INTERNAL = /\n\s+at |node_modules|\.[jt]s:\d|SQLITE_|SqlError|ParseError|FiberFailure/

const ErrorBody = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  errors: Schema.optional(Schema.Unknown),
  retry_after: Schema.optional(Schema.Unknown)
})

const hasErrorShape = flow(
  Schema.decodeUnknownOption(Schema.parseJson(ErrorBody), { onExcessProperty: "error" }),
  Option.isSome
)

/** The faults of a response. */
const faultsOf = ({ body, headers, status }: Answer, method: string | undefined): ReadonlyArray<string> => {
  if (status === 0) return [`no response (${body})`]
  return [
    ...(status >= 500 && status !== 503 ? [`status ${status}`] : []),
    ...(typeof headers["x-request-id"] === "string" ? [] : [`no X-Request-Id with ${status}`]),
    ...(status >= 400 && method !== "HEAD" && !hasErrorShape(body) ? [`no error shape with ${status}`] : []),
    ...(status >= 400 && INTERNAL.test(body) ? ["reveals internals"] : [])
  ]
}

const textOf = (body: Sent["body"]): string => typeof body === "string" ? body : body === undefined ? "" : "(bytes)"

const shown = ({ body, method, path }: Sent, headers: Sent["headers"]): string =>
  `${method} ${path.slice(0, 60)} ${JSON.stringify(headers).slice(0, 80)} ${textOf(body).slice(0, 80)}`

/** The text without secrets, because reports may be stored. */
const masked = (text: string): string => text.replace(/cm[abcw]_[\w-]{10,}/g, "…")

const fuzz = async (
  server: ServerProcess,
  requests: ReadonlyArray<Sent>,
  tally: Tally.Tally
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  const queue = requests.values()
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    for (const sent of queue) {
      // oxlint-disable-next-line no-await-in-loop -- As many at a time as there are workers.
      const answer = await exchange(server, sent)
      tally.add(answer)
      // Node's client refuses to send some requests.
      if (answer.status === 0 && /^(Invalid|Request path)/.test(answer.body)) continue
      for (const fault of faultsOf(answer, sent.method)) faults.push(masked(`${fault}: ${shown(sent, sent.headers)}`))
    }
  }))
  return faults
}

const RAW_MILLIS = 2000

/** Sends bytes, and returns the faults of the response. */
const sendRaw = async (server: ServerProcess, bytes: string): Promise<ReadonlyArray<string>> => {
  const connection = await Raw.open(server)
  connection.send(bytes)
  const end = performance.now() + RAW_MILLIS
  while (!connection.isClosed() && !/\r\n\r\n.*\}$/s.test(connection.received()) && performance.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- Waits for the response.
    await sleep(5)
  }
  connection.close()
  const received = connection.received()
  const name = JSON.stringify(bytes.slice(0, 40))
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
  if (status === 0) return [`no response: ${name}`]
  const [heads = "", ...body] = received.split("\r\n\r\n")
  const requestId = /^x-request-id: (\S+)/im.exec(heads)?.[1]
  return faultsOf({ status, headers: { "x-request-id": requestId }, body: body.join("\r\n\r\n") }, "GET")
    .map((fault) => `${fault}: ${name}`)
}

export const run: Part = ({ log, random, seconds, seed, serve, short }) =>
  serve(async (server) => {
    const tally = Tally.make()
    const end = performance.now() + (short ? 0 : seconds * 1000)
    const faults: Array<string> = []
    let sent = 0
    for (let batch = 0; performance.now() < end || batch === 0; batch += 1) {
      const requests = draw(seed + batch, random, short ? BATCH.short : BATCH.long)
      // oxlint-disable-next-line no-await-in-loop -- All batches at once do not fit in memory.
      faults.push(...await fuzz(server, requests, tally))
      sent += requests.length
      if (!server.isRunning()) break
    }
    log(`${sent} requests`)
    const rawFaults = await inTurn(RAW_REQUESTS, (bytes) => sendRaw(server, bytes))
    return {
      tables: [{
        title: "Fuzz",
        columns: ["requests", "answers"],
        rows: [[{ value: sent, unit: "count" }, tally.describe()]]
      }],
      bounds: [
        Bound.none("faulty responses to random requests", faults),
        Bound.none("faulty responses of the HTTP parser", rawFaults.flat()),
        Bound.holds("the server still runs", server.isRunning()),
        Bound.none("errors in the log", server.errors())
      ]
    }
  })
