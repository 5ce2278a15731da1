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

/** Passes a request on to the first server that accepts the connection. One that refuses it has received nothing. */
const pass = (
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
  [origin, ...others]: ReadonlyArray<string>
): void => {
  if (origin === undefined) return answerError(response, 503, "SERVICE_UNAVAILABLE", "No server accepts connections.")
  const outgoing = request(new URL(incoming.url ?? "/", origin), {
    agent,
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
    else pass(agent, incoming, response, others)
  })
  response.once("close", () => outgoing.destroy())
}

/** Listens on loopback until the scope ends, and passes requests on to the servers, in turn. Returns its own origin. */
export const listen = (
  port: number,
  origins: ReadonlyArray<string>
): Effect.Effect<string, BalancerNotListening, Scope.Scope> =>
  Effect.gen(function*() {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ keepAlive: true, maxFreeSockets: 64 })),
      (made) => Effect.sync(() => made.destroy())
    )
    let turn = 0
    const server = createServer({ requestTimeout: 0 }, (incoming, response) => {
      turn = (turn + 1) % origins.length
      pass(agent, incoming, response, [...origins.slice(turn), ...origins.slice(0, turn)])
    })
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
