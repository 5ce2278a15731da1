import { randomBytes } from "node:crypto"
import { createServer, type Server, type ServerResponse } from "node:http"
import * as Connection from "./Connection.ts"
import type { Reply } from "./Reply.ts"
import * as Routes from "./Routes.ts"

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Names a request: by its `X-Request-Id`, if that is valid. */
const requestIds = () => {
  const process = randomBytes(8).toString("hex")
  let count = 0
  return (presented: string | undefined): string => {
    if (presented !== undefined && VALID_REQUEST_ID.test(presented)) return presented
    count += 1
    return `${process}-${count.toString(36)}`
  }
}

// Headers are literals: node:http takes a third longer for an object that is spread.
const send = (response: ServerResponse, requestId: string, { body, scheme, status }: Reply): void => {
  if (scheme !== undefined) response.setHeader("www-authenticate", scheme)
  if (body === undefined) {
    response.writeHead(status, { "cache-control": "no-store", "x-request-id": requestId }).end()
  } else {
    response.writeHead(status, {
      "cache-control": "no-store",
      "x-request-id": requestId,
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "content-length": Buffer.byteLength(body)
    }).end(body)
  }
}

/**
 * The eight operations by hand, on `node:http` and better-sqlite3 alone: the cost of the work itself. Requests that the
 * benchmark never sends get 501.
 */
export const make = (filename: string): Server => {
  const connection = Connection.open(filename)
  const handle = Routes.handler(connection)
  const requestId = requestIds()
  const server = createServer((request, response) => {
    const id = requestId(request.headers["x-request-id"]?.toString())
    handle(request, (reply) => send(response, id, reply))
  })
  server.on("close", () => void connection.database.close())
  return server
}
