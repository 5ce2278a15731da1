import { Effect } from "effect"
import { ListeningAddress, url } from "./Listening.ts"

/** The addresses that mean all interfaces. A client cannot connect to them. */
const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** The URL of the server; a loopback URL if it listens on all interfaces. */
export const listeningUrl: Effect.Effect<string, never, ListeningAddress> = Effect.map(
  ListeningAddress,
  ({ hostname, port }) => url({ hostname: UNSPECIFIED.has(hostname) ? "127.0.0.1" : hostname, port })
)
