import { Effect } from "effect"
import { connect } from "node:net"

/** A client that writes and reads bytes. */
export interface RawClient {
  readonly write: (text: string) => void
  /** Everything received, as soon as its end matches. */
  readonly until: (pattern: RegExp) => Effect.Effect<string>
  /** Everything received, when the connection is closed. */
  readonly closed: Effect.Effect<string>
  /** Reads nothing from now on. */
  readonly pause: () => void
  /** Sends nothing more, and continues to read. */
  readonly finish: () => void
  readonly close: () => void
}

/** Opens a connection, which ends with the scope. */
export const open = (port: number) =>
  Effect.acquireRelease(
    Effect.async<RawClient>((resume) => {
      const socket = connect(port, "127.0.0.1")
      let received = ""
      let isClosed = false
      let looks: ReadonlyArray<() => void> = []
      const look = () => looks.forEach((again) => again())
      const when = (condition: () => boolean) =>
        Effect.async<string>((seen) => {
          const again = () => condition() && seen(Effect.succeed(received))
          looks = [...looks, again]
          again()
        })
      socket.on("data", (bytes) => {
        received += bytes.toString()
        look()
      })
      // A reset counts as closed.
      socket.on("error", () => {})
      socket.on("close", () => {
        isClosed = true
        look()
      })
      socket.on("connect", () =>
        resume(Effect.succeed({
          write: (text) => void socket.write(text),
          until: (pattern) => when(() => pattern.test(received.slice(-2_000))),
          closed: when(() => isClosed),
          pause: () => void socket.pause(),
          finish: () => void socket.end(),
          close: () => void socket.destroy()
        })))
    }),
    ({ close }) => Effect.sync(close)
  )

/** The statuses of the responses, in their order. */
export const statuses = (received: string): ReadonlyArray<number> =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))
