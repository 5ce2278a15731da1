import { Effect } from "effect"
import { connect } from "node:net"
import { TestServer } from "./TestServer.ts"

/** Whether the whole response has arrived, according to its head. */
const isComplete = (response: string): boolean => {
  const [head = "", body] = response.split("\r\n\r\n", 2)
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length)
}

/**
 * Writes the head of a request and then piece after piece of its body until a response is complete or the connection ends.
 * Returns the response, and the number of pieces.
 */
export const stream = (head: string, piece: Buffer, most: number) =>
  Effect.flatMap(
    TestServer,
    ({ origin }) =>
      Effect.async<{ readonly response: string; readonly pieces: number }>((resume) => {
        const socket = connect(Number(new URL(origin).port), "127.0.0.1")
        let response = ""
        let pieces = 0
        const next = () => {
          if (response !== "" || pieces >= most || socket.destroyed) return
          pieces += 1
          socket.write(piece, () => setImmediate(next))
        }
        socket.on("connect", () => {
          socket.write(head)
          next()
        })
        socket.on("data", (data: Buffer) => {
          response += data.toString("utf8")
          if (isComplete(response)) socket.destroy()
        })
        // The client ignores a reset after the response.
        socket.on("error", () => {})
        socket.on("close", () => resume(Effect.succeed({ response, pieces })))
        socket.on("end", () => socket.end())
      })
  )
