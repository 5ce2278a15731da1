import { HttpServer } from "@effect/platform"
import { Context, Effect, Option } from "effect"

/**
 * The service's address as clients see it, without a trailing slash and without the version prefix, such as
 * `https://chat.example/api`. None unless an operator sets it: then it is the address at which the server listens.
 */
export class PublicUrl extends Context.Reference<PublicUrl>()(
  "@community-messaging/http-adapter/PublicUrl",
  { defaultValue: (): Option.Option<string> => Option.none() }
) {}

/** The addresses of a server that listens on all interfaces: no client can connect to them. */
const UNSPECIFIED: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

/** Where the server listens; on this machine where it listens on all interfaces. */
export const listeningUrl: Effect.Effect<string, never, HttpServer.HttpServer> = HttpServer.addressWith((address) => {
  if (address._tag === "UnixAddress") return Effect.succeed(`unix:${address.path}`)
  const host = UNSPECIFIED.has(address.hostname) ? "127.0.0.1" : address.hostname
  return Effect.succeed(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}`)
})

/** The service's address as clients see it: the one that is set, else where the server listens. */
export const publicUrl: Effect.Effect<string, never, HttpServer.HttpServer> = Effect.flatMap(
  PublicUrl,
  Option.match({ onNone: () => listeningUrl, onSome: Effect.succeed })
)
