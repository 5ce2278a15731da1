import type { IncomingMessage } from "node:http"

/** Returns the address without the port that some proxies append: `192.0.2.1:49152`, `[2001:db8::1]:49152`. */
const withoutPort = (address: string): string =>
  address.replace(/^\[([^\]]*)\](?::\d+)?$/, "$1").replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1")

/**
 * Returns the rate limit key of an address: the IPv4 address, or the /64 network of the IPv6 address, because one
 * client usually has a whole /64 network. A client has a new port for each connection, so a port is left out.
 */
export const keyOf = (address: string): string => {
  if (!address.includes(":")) return address.toLowerCase()
  const text = withoutPort(address).toLowerCase()
  if (!text.includes(":")) return text
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

/**
 * Returns the rate limit key of the client: from the socket's address, or from the address that the outermost trusted
 * proxy saw. Each proxy appends to `X-Forwarded-For`; values that the client sent are ignored.
 */
export const rateLimitKey = ({ headers, socket }: IncomingMessage, trustedProxies: number): string => {
  const direct = socket.remoteAddress ?? "unknown"
  if (trustedProxies === 0) return keyOf(direct)
  const forwarded = headers["x-forwarded-for"] ?? ""
  const seen = (typeof forwarded === "string" ? forwarded : forwarded.join()).split(",").at(-trustedProxies)?.trim() ??
    ""
  return keyOf(seen === "" ? direct : seen)
}
