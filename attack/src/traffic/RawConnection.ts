import { connect } from "node:net"
import type { ServerProcess } from "../server/ServerProcess.ts"

/** A connection that sends raw bytes, and may read or not. */
export interface RawConnection {
  /** The received text. */
  readonly received: () => string
  readonly isClosed: () => boolean
  readonly send: (bytes: string | Uint8Array) => void
  readonly close: () => void
}

/** Opens a connection. With `reads: false`, it never reads a byte. */
export const open = (
  { port }: Pick<ServerProcess, "port">,
  { reads = true }: { readonly reads?: boolean } = {}
): Promise<RawConnection> =>
  new Promise((resolve) => {
    let received = ""
    let closed = false
    const socket = connect({ port, host: "127.0.0.1" })
    const connection: RawConnection = {
      received: () => received,
      isClosed: () => closed,
      send: (bytes) => {
        if (!closed) socket.write(bytes)
      },
      close: () => socket.destroy()
    }
    if (reads) {
      socket.on("data", (chunk: Buffer) => {
        received += chunk.toString("latin1")
      })
    }
    socket.on("error", () => {
      closed = true
      resolve(connection)
    })
    socket.on("close", () => {
      closed = true
    })
    socket.on("connect", () => resolve(connection))
  })

/** The head of a request, with its empty line. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string | number>>): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${
    Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n`
