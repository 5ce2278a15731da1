import { Deferred, Effect, Queue, Redacted, type Scope } from "effect"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
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

/** Sends the request of a stream, and passes its response on when it begins. The connection ends with the scope. */
const connected = (
  path: string,
  headers: Readonly<Record<string, string>>,
  onResponse: (incoming: IncomingMessage) => void
) =>
  Effect.flatMap(TestServer, ({ origin }) =>
    Effect.acquireRelease(
      Effect.async<ClientRequest>((resume) => {
        const outgoing = request(`${origin}${path}`, { agent: false, headers }, (incoming) => {
          incoming.on("error", () => {})
          onResponse(incoming)
          resume(Effect.succeed(outgoing))
        })
        outgoing.on("error", () => {})
        outgoing.end()
      }),
      (outgoing) => Effect.sync(() => outgoing.destroy())
    ))

const authorized = (admin: Redacted.Redacted) => ({ authorization: `Admin ${Redacted.value(admin)}` })

/** Opens a stream of server-sent events; the connection ends with the scope. Omits comments. */
export const open = (path: string, admin: Redacted.Redacted, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function*() {
    const events = yield* Queue.unbounded<ServerSentEvent>()
    let rest = ""
    yield* connected(path, { ...authorized(admin), ...headers }, (incoming) => {
      incoming.setEncoding("utf8")
      incoming.on("data", (piece: string) => {
        const blocks = (rest + piece).split("\n\n")
        rest = blocks.pop() ?? ""
        for (const block of blocks.filter((text) => !text.startsWith(":"))) Queue.unsafeOffer(events, parse(block))
      })
    })
    return events
  })

/** Opens a stream; the returned effect waits until the server ends it. */
export const untilClosed = (
  path: string,
  admin: Redacted.Redacted
): Effect.Effect<{ readonly closed: Effect.Effect<void> }, never, Scope.Scope | TestServer> =>
  Effect.gen(function*() {
    const closed = yield* Deferred.make<void>()
    yield* connected(path, authorized(admin), (incoming) => {
      incoming.on("close", () => Deferred.unsafeDone(closed, Effect.void))
      incoming.resume()
    })
    return { closed: Deferred.await(closed) }
  })
