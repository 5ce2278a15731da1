import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { listen } from "../src/Balancer.ts"

/** Gives the requests for `/slow`, which it does not answer, to `onSlow`. */
const upstream = (onSlow: (request: IncomingMessage) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => request.url === "/slow" ? onSlow(request) : response.end())
      await once(server.listen(0, "127.0.0.1"), "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

const originOf = (server: Server): string => {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

it.scopedLive("a server still gets requests after a client gives up before the response", () =>
  Effect.gen(function*() {
    const slow = yield* Deferred.make<IncomingMessage>()
    const server = yield* upstream((request) => Deferred.unsafeDone(slow, Exit.succeed(request)))
    const balancer = yield* listen(0, [originOf(server)])
    const client = yield* Effect.fork(Effect.tryPromise((signal) => fetch(`${balancer}/slow`, { signal })))
    const request = yield* Deferred.await(slow)
    const closed = once(request.socket, "close")
    expect(Exit.isInterrupted(yield* Fiber.interrupt(client))).toBe(true)
    yield* Effect.promise(() => closed)
    expect((yield* Effect.promise(() => fetch(`${balancer}/quick`))).status).toBe(200)
  }))

it.scopedLive("another server gets a post whose connection is refused", () =>
  Effect.gen(function*() {
    const [alive, dead] = yield* Effect.all([upstream(() => {}), upstream(() => {})])
    const balancer = yield* listen(0, [originOf(alive), originOf(dead)])
    dead.close()
    dead.closeAllConnections()
    // As many as there are servers: each gets one in turn.
    const posted = yield* Effect.promise(() =>
      Promise.all([1, 2].map(() => fetch(balancer, { method: "POST", body: "{}" })))
    )
    expect(posted.map(({ status }) => status)).toEqual([200, 200])
  }))
