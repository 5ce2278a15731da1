import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"
import { TestServer } from "../http/TestServer.ts"

/** A proxy before the API under test; a test can cut its connections. */
export const cuttable = Effect.gen(function*() {
  const { origin } = yield* TestServer
  const open = new Set<Socket>()
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const listening = createServer((near) => {
        const far = connect(Number(new URL(origin).port), "127.0.0.1")
        for (const socket of [near, far]) {
          open.add(socket)
          // A cut is an error for a side that is writing.
          socket.on("error", () => {})
        }
        near.pipe(far)
        far.pipe(near)
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
  return {
    baseUrl: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    /** Destroys all connections at once. */
    cut: Effect.sync(() => {
      for (const socket of open) socket.destroy()
      open.clear()
    })
  }
})
