import { Effect } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

/** A proxy before PostgreSQL that can fall silent, as a network does when a machine is gone. */
export const silentProxy = (databaseUrl: string) =>
  Effect.gen(function*() {
    const { hostname, port } = new URL(databaseUrl)
    const open = new Set<Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const listening = createServer((near) => {
          const far = connect(Number(port), hostname)
          for (const [one, other] of [[near, far], [far, near]] as const) {
            open.add(one)
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
          for (const socket of open) socket.destroy()
        })
    )
    const address = server.address()
    const url = new URL(databaseUrl)
    url.hostname = "127.0.0.1"
    url.port = String(typeof address === "object" && address !== null ? address.port : 0)
    return {
      url: url.href,
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
