import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import type { Answers } from "@community-messaging/http-adapter/server/connections/Connection"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Runtime, Scope } from "effect"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import * as Health from "../../src/serving/Health.ts"
import * as ListeningServer from "../../src/serving/ListeningServer.ts"
import * as RawClient from "../http/RawClient.ts"

interface Answer {
  readonly status: number | undefined
  readonly body: string
  readonly connection: string | undefined
}

const keepAliveAgent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true })),
  (acquired) => Effect.sync(() => acquired.destroy())
)

/** A request over a connection that the client keeps alive. */
const get = (port: number, agent: Agent) =>
  Effect.async<Answer, Error>((resume) => {
    const outgoing = request({ host: "127.0.0.1", port, agent }, (response) => {
      let body = ""
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode, body, connection: response.headers.connection })))
      response.on("error", (error) =>
        resume(Effect.fail(error)))
    })
    outgoing.on("error", (error) => resume(Effect.fail(error)))
    outgoing.end()
  })

/** The outcome of an attempt to connect. */
const connecting = (port: number) =>
  Effect.async<string>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy()
      resume(Effect.succeed("connected"))
    })
    socket.on("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.name)))
  })

/** A server whose responses wait for the gate, and an effect that ends it. */
const start = (shutdownTimeout: Duration.DurationInput, linger: Duration.Duration = Duration.millis(50)) =>
  Effect.gen(function*() {
    const gate = yield* Deferred.make<void>()
    const arrived = yield* Deferred.make<void>()
    const scope = yield* Scope.make()
    const fork = Runtime.runFork(yield* Effect.runtime())
    const ended: Array<string> = []
    const answer: Answers["answer"] = (_source, response) => {
      fork(Effect.gen(function*() {
        yield* Deferred.succeed(arrived, undefined)
        yield* Deferred.await(gate)
        response.writeHead(200, { "content-type": "application/json" }).end("{\"ok\":true}")
        ended.push("a request")
      }))
      return { isClosed: false, abandon: () => {}, endStream: () => {} }
    }
    const answers = Effect.acquireRelease(
      Effect.succeed({ answer }),
      () => Effect.sync(() => void ended.push("the services of the answers"))
    )
    const app = ListeningServer.serve(answers).pipe(
      Layer.provideMerge(ListeningServer.layer({
        host: "127.0.0.1",
        port: 0,
        linger,
        shutdownTimeout: Duration.decode(shutdownTimeout)
      })),
      Layer.provide(Health.layer)
    )
    const context = yield* Layer.buildWithScope(app, scope)
    const { address: { port }, drain } = yield* Effect.provide(ListeningServer.ListeningServer, context)
    const agent = yield* keepAliveAgent
    return {
      agent,
      port,
      open: Deferred.succeed(gate, undefined),
      arrived: Deferred.await(arrived),
      stop: Effect.zipRight(drain, Scope.close(scope, Exit.void)),
      /** Ends the server without a `drain` before. */
      end: Scope.close(scope, Exit.void),
      /** What has ended, in this order. */
      ended
    }
  })

describe("ListeningServer", () => {
  it.scopedLive("answers the requests in progress before it ends", () =>
    Effect.gen(function*() {
      const { agent, arrived, open, port, stop } = yield* start("10 seconds")
      const answer = yield* Effect.fork(get(port, agent))
      yield* arrived
      const stopped = yield* Effect.fork(stop)
      yield* Effect.yieldNow()
      yield* open
      expect(yield* Fiber.join(answer)).toMatchObject({ status: 200, body: "{\"ok\":true}" })
      yield* Fiber.join(stopped)
    }))

  it.scopedLive("answers the requests in progress before the services of the answers end", () =>
    Effect.gen(function*() {
      const { agent, arrived, end, ended, open, port } = yield* start("10 seconds")
      const answer = yield* Effect.fork(get(port, agent))
      yield* arrived
      const stopped = yield* Effect.fork(end)
      yield* Effect.repeatN(nextTurn, 10)
      yield* open
      yield* Fiber.join(answer)
      yield* Fiber.join(stopped)
      expect(ended).toEqual(["a request", "the services of the answers"])
    }))

  it.scopedLive("ends at once if no request is in progress, also with connections that are kept alive", () =>
    Effect.gen(function*() {
      const { agent, open, port, stop } = yield* start("1 hour")
      yield* open
      yield* get(port, agent)
      // A timeout of an hour would be too long for this test.
      expect(yield* Effect.exit(stop)).toEqual(Exit.void)
    }))

  it.scopedLive("announces its end to clients, and resets none of their requests", () =>
    Effect.gen(function*() {
      const { open, port, stop } = yield* start("1 hour", Duration.minutes(1))
      yield* open
      let answered = 0
      const isBusy = yield* Deferred.make<void>()
      /** Repeats a request after each response, until the server announces the end of the connection. */
      const looping = Effect.gen(function*() {
        const agent = yield* keepAliveAgent
        let isLast = false
        while (!isLast) {
          isLast = (yield* get(port, agent)).connection === "close"
          answered += 1
          if (answered === 200) yield* Deferred.succeed(isBusy, undefined)
        }
      })
      const clients = yield* Effect.fork(Effect.all(Array.from({ length: 20 }, () => looping), { concurrency: 20 }))
      yield* Deferred.await(isBusy)
      yield* stop
      expect(yield* Fiber.await(clients)).toMatchObject({ _tag: "Success" })
    }))

  it.scopedLive("answers a request that an idle connection sends while it ends", () =>
    Effect.gen(function*() {
      const { open, port, stop } = yield* start("1 hour", Duration.seconds(1))
      yield* open
      const client = yield* RawClient.open(port)
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      yield* client.until(/true/)
      const stopped = yield* Effect.fork(stop)
      yield* Effect.repeat(connecting(port), { until: (outcome) => outcome === "ECONNREFUSED" })
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      const received = yield* client.closed
      expect(RawClient.statuses(received)).toEqual([200, 200])
      expect(received.match(/^connection: .*$/gim)).toEqual(["Connection: keep-alive", "Connection: close"])
      yield* Fiber.join(stopped)
    }))

  it.scopedLive("answers all requests that were pipelined before, and only the last response closes", () =>
    Effect.gen(function*() {
      const { arrived, open, port, stop } = yield* start("1 hour", Duration.seconds(1))
      const client = yield* RawClient.open(port)
      client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100))
      yield* arrived
      const stopped = yield* Effect.fork(stop)
      yield* Effect.repeat(connecting(port), { until: (outcome) => outcome === "ECONNREFUSED" })
      yield* open
      const received = yield* client.closed
      expect(RawClient.statuses(received)).toHaveLength(100)
      expect(received.match(/^connection: close/gim)).toHaveLength(1)
      yield* Fiber.join(stopped)
    }))
})
