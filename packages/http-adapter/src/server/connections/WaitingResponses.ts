import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The responses of a connection that wait behind another one. */
const waiting = new WeakMap<Socket, Set<ServerResponse>>()

/** Closes a response that waits behind another one when its connection closes: Node closes only the one that is sent. */
export const closeWithConnection = ({ socket }: IncomingMessage, target: ServerResponse): void => {
  const present = waiting.get(socket)
  const responses = present ?? new Set()
  if (present === undefined) {
    waiting.set(socket, responses)
    socket.once("close", () => {
      for (const response of responses) if (response.socket === null) response.emit("close")
    })
  }
  responses.add(target)
  target.once("close", () => responses.delete(target))
}
