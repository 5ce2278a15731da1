import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { onTestFinished } from "vitest"

/** A request as the server got it. */
export interface ReceivedRequest {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The server's reaction to a request. */
export type Step = (response: ServerResponse, request: ReceivedRequest) => void

/** Answers with this status, body and headers. */
export const answer =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step => (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "r-1", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

/** Answers with an error of the API. */
export const refuse = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
  more: object = {}
): Step => answer(status, { code, message: "No.", ...more }, headers)

/** Ends the connection without a response. */
export const hangUp: Step = (response) => response.destroy()

/** Never answers. */
export const ignore: Step = () => {}

/** Answers with a stream of events: these pieces of text, and then no end by default. */
export const stream = (pieces: ReadonlyArray<string>, end?: "cut" | "end"): Step => (response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "r-1" })
  response.flushHeaders()
  response.write(pieces.join(""), () => {
    if (end === "cut") response.destroy()
    if (end === "end") response.end()
  })
}

/** An event of a stream, as text. */
export const event = (sequence: number): string =>
  `id: ${sequence}\nevent: user.deleted\ndata: ${JSON.stringify({ sequence, type: "user.deleted" })}\n\n`

/** A server on a socket that takes these steps, one for each request, and repeats the last one. */
export const serve = async (...steps: readonly [Step, ...ReadonlyArray<Step>]) => {
  const requests: Array<ReceivedRequest> = []
  let onRequest = () => {}
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const server = createServer((incoming, response) => {
    const pieces: Array<Buffer> = []
    incoming.on("data", (piece: Buffer) => pieces.push(piece))
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        target: incoming.url ?? "",
        headers: incoming.headers,
        body: Buffer.concat(pieces).toString()
      }
      requests.push(request)
      response.on("close", onClose)
      const step = steps[requests.length - 1] ?? steps.at(-1) ?? ignore
      step(response, request)
      onRequest()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return {
    baseUrl: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    requests,
    /** Resolves when that many requests have arrived. */
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        onRequest = () => {
          if (requests.length >= count) resolve()
        }
        onRequest()
      }),
    /** Resolves when the first exchange is over, or its connection closed. */
    closed
  }
}
