import type { ByteTurns } from "@community-messaging/event-loop/ByteTurns"
import { Duration } from "effect"
import type { IncomingMessage } from "node:http"
import { finished } from "node:stream"

/**
 * The limits for draining the rest of a rejected body, and for the number of bodies at a time: each has buffers, and a
 * client with its reply may already send the next body on another connection.
 */
const DRAIN_LIMITS = { time: Duration.seconds(5), bytes: 32 * 1024 * 1024, bodies: 64 } as const

/**
 * Reads and discards the rest of a body that was refused, in turns with other large bodies, until it ends or a limit is
 * reached. Closing a connection with unread bytes resets it, and the response may be lost. So the response is sent first,
 * then the body is drained, then the connection is closed (RFC 9112, 9.6).
 */
const drainOne = (source: IncomingMessage, turns: ByteTurns, whenDone: () => void): void => {
  let left = DRAIN_LIMITS.bytes
  const done = () => {
    clearTimeout(timer)
    stopWaiting()
    source.off("data", forget)
    whenDone()
  }
  const forget = (piece: Uint8Array) => {
    left -= piece.length
    if (left <= 0) return done()
    if (!turns.run(piece.length, () => source.resume())) source.pause()
  }
  const timer = setTimeout(done, Duration.toMillis(DRAIN_LIMITS.time))
  const stopWaiting = finished(source, done)
  source.on("data", forget)
  source.resume()
}

/** Reads and discards the rest of a body, and then calls `whenDone`; at once if too many others are being read. */
export type Drain = (source: IncomingMessage, whenDone: () => void) => void

export const makeDrain = (turns: ByteTurns): Drain => {
  let draining = 0
  return (source, whenDone) => {
    if (draining >= DRAIN_LIMITS.bodies) return whenDone()
    draining += 1
    drainOne(source, turns, () => {
      draining -= 1
      whenDone()
    })
  }
}
