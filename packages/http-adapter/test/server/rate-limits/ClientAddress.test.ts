import { keyOf, rateLimitKey } from "@community-messaging/http-adapter/server/rate-limits/ClientAddress"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"

describe("The address for which failed attempts are counted", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["::ffff:198.51.100.200", "198.51.100.200"],
    ["192.0.2.1:49152", "192.0.2.1"],
    ["[::ffff:192.0.2.1]:49152", "192.0.2.1"],
    ["unknown", "unknown"]
  ])("is a whole IPv4 address: %s", (address, key) => {
    expect(keyOf(address)).toBe(key)
  })

  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::2:3:4:5:6", "2001:db8:0:2::/64"],
    ["1::ffff:192.0.2.1", "1:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["2001:db8:1::", "2001:db8:1:0::/64"],
    ["::2:3:4:5:6:7", "0:0:2:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:49152", "2001:db8:1:2::/64"],
    ["[::1]:443", "0:0:0:0::/64"]
  ])("is the /64 network of an IPv6 address: %s", (address, key) => {
    expect(keyOf(address)).toBe(key)
  })
})

describe("The client of a request", () => {
  /** A request whose connection has the address 127.0.0.1. */
  const from = (forwarded: string | undefined) => {
    const source = new IncomingMessage(Object.defineProperty(new Socket(), "remoteAddress", { value: "127.0.0.1" }))
    if (forwarded !== undefined) source.headers["x-forwarded-for"] = forwarded
    return source
  }

  it.each([
    [0, "192.0.2.1", "127.0.0.1"],
    [2, "198.51.100.1, 192.0.2.1, 203.0.113.1", "192.0.2.1"],
    [2, "192.0.2.1,203.0.113.2", "192.0.2.1"],
    [2, "192.0.2.1", "127.0.0.1"],
    [2, " , 203.0.113.1", "127.0.0.1"],
    [2, undefined, "127.0.0.1"]
  ])("is the connection, or the one that the outermost of %i trusted proxies has seen: %j", (proxies, header, key) => {
    expect(rateLimitKey(from(header), proxies)).toBe(key)
  })
})
