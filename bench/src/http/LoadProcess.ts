import autocannon from "autocannon"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { median, percentile } from "../report/Statistics.ts"
import { Facts } from "./Community.ts"
import { exchange } from "./Exchanges.ts"
import { CONNECTIONS, LoadOrder, type LoadResult } from "./Load.ts"

/*
 * The load generator as a process: node LoadProcess.js <facts>. Takes orders from its parent, one at a time.
 */

/** Requests that a connection has ready, made by as many callers; they are sent over and over. */
const REQUESTS_PER_CONNECTION = 32

/** Requests that are sent while connections open are not counted. */
const SETTLE_MILLIS = 150

const facts = Schema.decodeUnknownSync(Schema.parseJson(Facts))(readFileSync(process.argv[2] ?? "", "utf8"))

const requestsOf = (order: LoadOrder, connection: number) =>
  [order.pass * 2, order.pass * 2 + 1].flatMap((pass) =>
    Array.from(
      { length: REQUESTS_PER_CONNECTION },
      (_, index) => exchange(order.operation, facts, connection * REQUESTS_PER_CONNECTION + index, pass)
    )
  )

interface Answered {
  /** When its answer was complete. */
  readonly at: number
  /** Milliseconds. */
  readonly latency: number
}

const summary = (all: ReadonlyArray<Answered>) => {
  const began = all[0]?.at ?? 0
  const counted = all.filter(({ at, latency }) => at - latency - began >= SETTLE_MILLIS)
  const elapsed = (counted.at(-1)?.at ?? 0) - (counted[0]?.at ?? 0)
  const latencies = counted.map(({ latency }) => latency).toSorted((self, that) => self - that)
  return elapsed === 0
    ? { requests: 0, requestsPerSecond: 0, medianLatency: 0, p99Latency: 0 }
    : {
      requests: latencies.length,
      requestsPerSecond: (latencies.length - 1) / (elapsed / 1000),
      medianLatency: median(latencies),
      p99Latency: percentile(latencies, 0.99)
    }
}

const run = async (order: LoadOrder): Promise<LoadResult> => {
  const answered: Array<Answered> = []
  const failedStatuses = new Set<number>()
  let failures = 0
  let connection = 0

  const { errors } = await new Promise<autocannon.Result>((resolve) => {
    const load = autocannon({
      url: `http://127.0.0.1:${order.port}`,
      connections: CONNECTIONS,
      duration: order.seconds + SETTLE_MILLIS / 1000,
      sampleInt: 50,
      idReplacement: order.operation === "code host" || order.operation === "error tracker",
      setupClient: (client) => {
        client.setRequests(requestsOf(order, connection))
        connection += 1
      }
    }, (_error, result) => resolve(result))
    load.on("response", (_client, status, _bytes, latency) => {
      answered.push({ at: performance.now(), latency })
      if (status >= 200 && status <= 299) return
      failures += 1
      failedStatuses.add(status)
    })
  })
  return { ...summary(answered), failures: failures + errors, failedStatuses: Array.from(failedStatuses) }
}

process.on("message", (message) => {
  void run(Schema.decodeUnknownSync(LoadOrder)(message)).then((result) => process.send?.(result))
})
process.once("disconnect", () => process.exit())
