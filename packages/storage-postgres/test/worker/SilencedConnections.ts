import { Effect } from "effect"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/**
 * A way to the database whose connections can be silenced: nothing arrives any more, and nobody learns of it, as if the
 * machine at the other end had lost its power. Later connections are not silenced.
 */
export const silenceable = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const open = new Set<Socket>()
        const server = createServer((near) => {
          const far = connect(Number(new URL(url).port), "127.0.0.1")
          for (const socket of [near, far]) {
            open.add(socket)
            socket.on("error", () => {})
          }
          near.pipe(far)
          far.pipe(near)
        }).listen(0, "127.0.0.1")
        await once(server, "listening")
        return { open, server }
      }),
      ({ open, server }) =>
        Effect.sync(() => {
          server.close()
          for (const socket of open) socket.destroy()
        })
    ),
    ({ open, server }) => {
      const own = new URL(url)
      const address = server.address()
      own.port = typeof address === "object" && address !== null ? String(address.port) : ""
      return {
        url: own.href,
        silence: Effect.sync(() => {
          for (const socket of open) socket.unpipe().pause()
        })
      }
    }
  )
