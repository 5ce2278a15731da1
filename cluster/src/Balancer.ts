import { Data, Effect, type Scope } from "effect"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { pipeline } from "node:stream"

/** The balancer cannot listen. */
export class BalancerNotListening extends Data.TaggedError("BalancerNotListening")<{ readonly message: string }> {}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"])

const headersOf = ({ headers, socket }: IncomingMessage) => ({
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name))),
  "x-forwarded-for": [headers["x-forwarded-for"], socket.remoteAddress].filter((part) => part !== undefined).join(", ")
})

const answerError = (response: ServerResponse, status: number, code: string, message: string): void => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { "Content-Type": "application/json", ...status === 503 && { "Retry-After": "1" } })
  response.end(JSON.stringify({ code, message }))
}

/** Passes requests on to servers, in turn. */
class Balancer {
  readonly #origins: ReadonlyArray<string>
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  #turn = 0

  constructor(origins: ReadonlyArray<string>) {
    this.#origins = origins
  }

  /** Passes a request on to a server. */
  readonly handle = (incoming: IncomingMessage, response: ServerResponse): void => {
    this.#turn = (this.#turn + 1) % this.#origins.length
    this.#pass(incoming, response, [...this.#origins.slice(this.#turn), ...this.#origins.slice(0, this.#turn)])
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Tries the servers one after another. A server that refuses the connection has received nothing of the request. */
  #pass(incoming: IncomingMessage, response: ServerResponse, [origin, ...others]: ReadonlyArray<string>): void {
    if (origin === undefined) return answerError(response, 503, "SERVICE_UNAVAILABLE", "No server accepts connections.")
    const outgoing = request(new URL(incoming.url ?? "/", origin), {
      agent: this.#agent,
      method: incoming.method ?? "GET",
      headers: headersOf(incoming)
    })
    let isConnected = false
    const send = () => {
      isConnected = true
      pipeline(incoming, outgoing, () => {})
    }
    outgoing.once("socket", (socket) => socket.connecting ? socket.once("connect", send) : send())
    outgoing.once("response", (answer) => {
      const headers = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTION.has(name))
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers))
      // An event stream begins before its first event.
      response.flushHeaders()
      pipeline(answer, response, () => {})
    })
    outgoing.once("error", () => {
      // The client gave up.
      if (response.closed) return
      if (isConnected) answerError(response, 502, "BAD_GATEWAY", "The server ended before it responded.")
      else this.#pass(incoming, response, others)
    })
    response.once("close", () => outgoing.destroy())
  }
}

/** Listens on loopback until the scope ends, and passes requests on to the servers. Returns its own origin. */
export const listen = (
  port: number,
  origins: ReadonlyArray<string>
): Effect.Effect<string, BalancerNotListening, Scope.Scope> =>
  Effect.gen(function*() {
    const balancer = yield* Effect.acquireRelease(
      Effect.sync(() => new Balancer(origins)),
      (made) => Effect.sync(() => made.close())
    )
    const server = createServer({ requestTimeout: 0 }, balancer.handle)
    yield* Effect.acquireRelease(
      Effect.async<void, BalancerNotListening>((resume) => {
        server.once("error", ({ message }) => resume(new BalancerNotListening({ message })))
        server.listen(port, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`
  })
