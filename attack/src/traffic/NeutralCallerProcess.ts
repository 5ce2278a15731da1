import { Schema } from "effect"
import { Agent, request } from "node:http"
import { Order, type Served } from "./NeutralCaller.ts"

/*
 * The process of the neutral caller: node NeutralCallerProcess.js <order>. It sends a request once in `everyMillis`, without
 * waiting for previous responses, by many accounts in turn, so that none exceeds its rate limit. It has its own address, so
 * that limits by address do not count it together with the attackers. It keeps its connections open and uses them in turn.
 * The time of a response includes that of waiting for a free connection.
 */

const TIMEOUT_MILLIS = 30_000
const ADDRESS = "127.0.0.2"
const CONNECTIONS = 16

const { everyMillis, origin, tokens } = Schema.decodeUnknownSync(Schema.parseJson(Order))(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: "fifo" })

let millis: Array<number> = []
let refused: Record<string, number> = {}
const waiting = new Set<Promise<void>>()

const ask = (turn: number): Promise<void> =>
  new Promise((resolve) => {
    const began = performance.now()
    const answered = (status: number | string) => {
      millis.push(performance.now() - began)
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1
      resolve()
    }
    const send = () => {
      const outgoing = request(`${origin}/v1/users/@me/scheduled-messages`, {
        agent,
        localAddress: ADDRESS,
        headers: { authorization: `Bot ${tokens[turn % tokens.length] ?? ""}` }
      }, (response) => {
        response.resume()
        response.on("end", () => answered(response.statusCode ?? 0))
      })
      outgoing.setTimeout(TIMEOUT_MILLIS, () => outgoing.destroy(new Error("late")))
      outgoing.on("error", (error: NodeJS.ErrnoException) => {
        // A request may cross the end of an idle connection, so a client sends it again.
        if (outgoing.reusedSocket && error.code === "ECONNRESET") send()
        else answered(error.code ?? error.message)
      })
      outgoing.end()
    }
    send()
  })

let turn = 0
const askNext = () => {
  const pending = ask(turn++)
  waiting.add(pending)
  void pending.then(() => waiting.delete(pending))
}
// Opens all connections.
for (let connection = 0; connection < CONNECTIONS; connection += 1) askNext()
setInterval(askNext, everyMillis)

const report = async (): Promise<void> => {
  await Promise.all(waiting)
  const served: Served = { millis, refused }
  process.send?.(served)
}

process.on("message", (message) => {
  if (message === "begin") {
    millis = []
    refused = {}
  } else if (message === "end") {
    void report()
  }
})
process.once("disconnect", () => process.exit())
