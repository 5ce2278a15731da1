import { Effect } from "effect"
import { createServer } from "node:net"

/** The port of a server that accepts connections and does not answer, until the scope ends. */
export const port = (whenConnected = () => {}) =>
  Effect.acquireRelease(
    Effect.sync(() => createServer(whenConnected)),
    (server) => Effect.sync(() => server.close())
  ).pipe(Effect.flatMap((server) =>
    Effect.async<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
  ))
