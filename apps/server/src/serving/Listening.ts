import { Data, Effect, Predicate, type Scope } from "effect"
import type { Server } from "node:http"

/** A server cannot listen at its address. */
export class ListenError extends Data.TaggedError("ListenError")<{
  /** The purpose and the settings of the address: `on HOST and PORT`. */
  readonly where: string
  readonly cause: unknown
}> {}

/** Where a server listens: the IP address, and the port, which is never 0. */
export interface Address {
  readonly hostname: string
  readonly port: number
}

/** The URL of an address, without a path. */
export const url = ({ hostname, port }: Address): string =>
  `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`

/** The addresses that mean all interfaces. A client cannot connect to them. */
export const ALL_INTERFACES: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** The URL for clients on this machine: a loopback URL if the address means all interfaces. */
export const localUrl = ({ hostname, port }: Address): string =>
  url({ hostname: ALL_INTERFACES.has(hostname) ? "127.0.0.1" : hostname, port })

/**
 * Listens at this host and port, where port 0 is any free one. At the end of the scope, stops listening and waits for the
 * connections to end. `NodeHttpServer` of `@effect/platform-node` does the same, but loads an HTTP client, WebSockets and
 * forms: 150 modules that nothing here uses.
 */
export const listen = (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  where: ListenError["where"]
): Effect.Effect<Address, ListenError, Scope.Scope> => {
  const close = Effect.async<void>((resume) => {
    // Fails only if the server does not listen.
    server.close(() => resume(Effect.void))
  })
  const listening = Effect.async<Address, ListenError>((resume) => {
    // Stays: without a listener, a later connection for which no file descriptor is left would end the process.
    server.on("error", (cause) => resume(new ListenError({ where, cause })))
    server.listen({ host, port }, () => {
      const address = server.address()
      resume(
        Predicate.isNull(address) || Predicate.isString(address)
          ? new ListenError({ where, cause: "the server has no IP address" })
          : Effect.succeed({ hostname: address.address, port: address.port })
      )
    })
  })
  return Effect.zipRight(Effect.addFinalizer(() => close), listening)
}
