import type { IncomingMessage } from "node:http"

/**
 * What stands for a client in a rate limit: its IPv4 address, or the /64 network of its IPv6 address, since one client
 * has all of that.
 */
export const keyOf = (address: string): string => {
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

/**
 * What stands for the client that a request came from: by the socket's address, or by the one that the outermost trusted
 * proxy saw. Each proxy appends to `X-Forwarded-For`; what clients write before that counts for nothing.
 */
export const rateLimitKey = ({ headers, socket }: IncomingMessage, trustedProxies: number): string => {
  const direct = socket.remoteAddress ?? "unknown"
  if (trustedProxies === 0) return keyOf(direct)
  const forwarded = headers["x-forwarded-for"] ?? ""
  const seen = (typeof forwarded === "string" ? forwarded : forwarded.join()).split(",").at(-trustedProxies)?.trim() ??
    ""
  return keyOf(seen === "" ? direct : seen)
}
