import { Effect, Queue, Redacted } from "effect"
import { type ClientRequest, request } from "node:http"
import { TestServer } from "./TestServer.ts"

/** One event of a stream, as the client of the platform would get it. */
export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

const field = (block: string, name: string): string =>
  block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ""

const parse = (block: string): ServerSentEvent => ({
  id: field(block, "id"),
  event: field(block, "event"),
  data: JSON.parse(field(block, "data"))
})

/** Opens a stream of server-sent events; the connection ends with the scope. Omits comments. */
export const open = (path: string, admin: Redacted.Redacted, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function*() {
    const { origin } = yield* TestServer
    const events = yield* Queue.unbounded<ServerSentEvent>()
    const sent = { authorization: `Admin ${Redacted.value(admin)}`, ...headers }
    let rest = ""
    const receive = (piece: string) => {
      const blocks = (rest + piece).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks.filter((text) => !text.startsWith(":"))) Queue.unsafeOffer(events, parse(block))
    }
    yield* Effect.acquireRelease(
      Effect.async<ClientRequest>((resume) => {
        const outgoing = request(`${origin}${path}`, { agent: false, headers: sent }, (incoming) => {
          incoming.on("error", () => {})
          incoming.setEncoding("utf8")
          incoming.on("data", receive)
          resume(Effect.succeed(outgoing))
        })
        outgoing.on("error", () => {})
        outgoing.end()
      }),
      (outgoing) => Effect.sync(() => outgoing.destroy())
    )
    return events
  })
