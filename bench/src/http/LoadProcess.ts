import autocannon from "autocannon"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { Facts } from "./Community.ts"
import { exchange, STATUS } from "./Exchanges.ts"
import { CONNECTIONS, LoadOrder, type LoadResult } from "./Load.ts"

/*
 * The process of the load generator: node LoadProcess.js <facts>. Takes orders from its parent, one at a time.
 */

/** Requests that a connection prepares, each with another caller, and then repeats. */
const REQUESTS_PER_CONNECTION = 32

const facts = Schema.decodeUnknownSync(Schema.parseJson(Facts))(readFileSync(process.argv[2] ?? "", "utf8"))

/** Requests of two passes, so that each repetition changes something. */
const requestsOf = (order: LoadOrder, connection: number) =>
  [order.pass * 2, order.pass * 2 + 1].flatMap((pass) =>
    Array.from(
      { length: REQUESTS_PER_CONNECTION },
      (_, index) => exchange(order.operation, facts, connection * REQUESTS_PER_CONNECTION + index, pass)
    )
  )

const run = async (order: LoadOrder): Promise<LoadResult> => {
  const failedStatuses = new Set<number>()
  const expected = STATUS[order.operation]
  let failures = 0
  let connection = 0
  let answered = 0
  let began = Number.NaN
  let ended = Number.NaN

  const { errors } = await new Promise<autocannon.Result>((resolve) => {
    const load = autocannon({
      url: `http://127.0.0.1:${order.port}`,
      connections: order.connections ?? CONNECTIONS,
      amount: order.requests,
      sampleInt: 50,
      idReplacement: order.operation === "code host" || order.operation === "error tracker",
      setupClient: (client) => {
        client.setRequests(requestsOf(order, connection))
        connection += 1
      }
    }, (_error, result) => resolve(result))
    load.on("response", (_client, status, _bytes, latency) => {
      ended = performance.now()
      if (answered === 0) began = ended - latency
      answered += 1
      if (status === expected) return
      failures += 1
      failedStatuses.add(status)
    })
  })
  return {
    requests: answered,
    requestsPerSecond: answered / ((ended - began) / 1000),
    failures: failures + errors,
    failedStatuses: Array.from(failedStatuses)
  }
}

process.on("message", (message) => {
  void run(Schema.decodeUnknownSync(LoadOrder)(message)).then((result) => process.send?.(result))
})
process.once("disconnect", () => process.exit())
