import { Effect } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

/** A proxy before the server of that URL, for tests of a network that fails. */
export const proxy = (serverUrl: string) =>
  Effect.gen(function*() {
    const { hostname, port } = new URL(serverUrl)
    const open = new Set<Socket>()
    let accepted = 0
    const destroyAll = () => {
      for (const socket of open) socket.destroy()
    }
    const server = yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const listening = createServer((near) => {
          accepted += 1
          const far = connect(Number(port), hostname)
          for (const [one, other] of [[near, far], [far, near]] as const) {
            open.add(one)
            // A cut is an error for a side that is writing.
            one.on("error", () => {})
            one.on("close", () => {
              open.delete(one)
              other.destroy()
            })
            one.pipe(other)
          }
        })
        listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
      }),
      (listening) =>
        Effect.sync(() => {
          listening.close()
          destroyAll()
        })
    )
    const address = server.address()
    const url = new URL(serverUrl)
    url.hostname = "127.0.0.1"
    url.port = String(typeof address === "object" && address !== null ? address.port : 0)
    return {
      url,
      /** Returns how many connections clients have opened. */
      accepted: () => accepted,
      /** Destroys all connections. Later connections work. */
      cut: Effect.sync(destroyAll),
      /** From now on, the open connections deliver nothing, and stay open. Later connections work. */
      fallSilent: Effect.sync(() => {
        for (const socket of open) {
          socket.unpipe()
          // The bytes are lost.
          socket.resume()
        }
      })
    }
  })
