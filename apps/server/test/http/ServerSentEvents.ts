import { Deferred, Effect, Queue, Redacted, type Scope } from "effect"
import { request as httpRequest } from "node:http"
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
    yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof httpRequest>>((resume) => {
        const outgoing = httpRequest(`${origin}${path}`, {
          agent: false,
          headers: { authorization: `Admin ${Redacted.value(admin)}`, ...headers }
        }, (incoming) => {
          let rest = ""
          incoming.setEncoding("utf8")
          incoming.on("data", (piece: string) => {
            const blocks = (rest + piece).split("\n\n")
            rest = blocks.pop() ?? ""
            for (const block of blocks.filter((text) => !text.startsWith(":"))) Queue.unsafeOffer(events, parse(block))
          })
          incoming.on("error", () => {})
          resume(Effect.succeed(outgoing))
        })
        outgoing.on("error", () => {})
        outgoing.end()
      }),
      (outgoing) => Effect.sync(() => outgoing.destroy())
    )
    return events
  })

/** Opens a stream; the returned effect waits until the server ends it. */
export const untilClosed = (
  path: string,
  admin: Redacted.Redacted
): Effect.Effect<{ readonly closed: Effect.Effect<void> }, never, Scope.Scope | TestServer> =>
  Effect.gen(function*() {
    const { origin } = yield* TestServer
    const closed = yield* Deferred.make<void>()
    yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof httpRequest>>((resume) => {
        const outgoing = httpRequest(`${origin}${path}`, {
          agent: false,
          headers: { authorization: `Admin ${Redacted.value(admin)}` }
        }, (incoming) => {
          incoming.on("close", () => Deferred.unsafeDone(closed, Effect.void))
          incoming.on("error", () => {})
          incoming.resume()
          resume(Effect.succeed(outgoing))
        })
        outgoing.on("error", () => {})
        outgoing.end()
      }),
      (outgoing) => Effect.sync(() => outgoing.destroy())
    )
    return { closed: Deferred.await(closed) }
  })
