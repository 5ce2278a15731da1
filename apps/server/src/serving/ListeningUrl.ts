import { HttpServer } from "@effect/platform"
import { Effect } from "effect"

/** The addresses that mean all interfaces. A client cannot connect to them. */
const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** The URL of the server; a loopback URL if it listens on all interfaces. */
export const listeningUrl: Effect.Effect<string, never, HttpServer.HttpServer> = HttpServer.addressWith((address) => {
  if (address._tag === "UnixAddress") return Effect.succeed(`unix:${address.path}`)
  const host = UNSPECIFIED.has(address.hostname) ? "127.0.0.1" : address.hostname
  return Effect.succeed(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}`)
})
