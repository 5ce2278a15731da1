import type { HttpServerRequest } from "@effect/platform"
import { Context, Option } from "effect"

/**
 * How many proxies stand between the clients and the server, each of which appends to `X-Forwarded-For`. None unless an
 * operator says so: anyone can send the header.
 */
export class TrustedProxies extends Context.Reference<TrustedProxies>()(
  "@community-messaging/http-adapter/TrustedProxies",
  { defaultValue: () => 0 }
) {}

/**
 * What stands for a client in a rate limit: its IPv4 address, or the /64 network of its IPv6 address, since one client
 * has all of that.
 */
export const rateLimitKey = (address: string): string => {
  if (!address.includes(":")) return address.toLowerCase()
  const text = address.toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  const [head = "", tail] = text.split("%")[0]?.split("::") ?? []
  const groups = (part: string) => part.split(":").filter((group) => group !== "")
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const network = [...before, ...Array.from({ length: zeros }, () => "0"), ...after].slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`
}

/** The address from which the request came: the socket's, or the one that the outermost trusted proxy saw. */
export const of = (request: HttpServerRequest.HttpServerRequest, proxies: number): string => {
  const socket = Option.getOrElse(request.remoteAddress, () => "unknown")
  if (proxies === 0) return socket
  const seen = (request.headers["x-forwarded-for"] ?? "").split(",").at(-proxies)?.trim() ?? ""
  return seen === "" ? socket : seen
}
