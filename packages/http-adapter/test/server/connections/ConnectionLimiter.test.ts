import { ConnectionLimiter, MAX_REFUSED } from "@community-messaging/http-adapter/server/connections/ConnectionLimiter"
import { describe, expect, it } from "vitest"

describe("Refused connections", () => {
  it("get a response if few of them are open, also after any number of others", () => {
    const limiter = new ConnectionLimiter({ maxConnections: 0, maxConnectionsPerAddress: 0 })
    for (let count = 0; count < MAX_REFUSED; count += 1) limiter.open("192.0.2.1")?.close()
    expect(limiter.open("192.0.2.1")?.refusal).toMatchObject({ status: 503 })
  })
})
