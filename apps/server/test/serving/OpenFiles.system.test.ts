import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import * as OpenFiles from "../../src/serving/OpenFiles.ts"

/** The limit of open files of this process, which its child processes inherit; NaN if it is unlimited. */
const limit = Number(spawnSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).stdout)

const RESERVED = 356

/** The number of possible connections, and the log. */
const possible = (connections: number) => {
  const log: Array<unknown> = []
  const logger = Logger.make(({ message }) => void log.push(message))
  return OpenFiles.atMost(connections).pipe(
    Effect.map((count) => ({ count, log: log.flat() })),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger))
  )
}

describe.skipIf(Number.isNaN(limit))("The number of connections", () => {
  it.effect("is at most the limit of open files less those that the server needs, with a warning in the log", () =>
    Effect.gen(function*() {
      const { count, log } = yield* possible(limit)
      expect(count).toBe(limit - RESERVED)
      expect(log).toEqual([
        `MAX_CONNECTIONS is ${limit}, but the limit of ${limit} open files allows ${limit - RESERVED} only`
      ])
    }))

  it.effect("is the configured one if the limit of open files allows it", () =>
    Effect.gen(function*() {
      expect(yield* possible(limit - RESERVED)).toEqual({ count: limit - RESERVED, log: [] })
    }))
})

const Handles = Schema.Struct({
  libuv: Schema.Array(Schema.Struct({
    type: Schema.String,
    remoteEndpoint: Schema.optional(Schema.NullOr(Schema.Struct({ host: Schema.String })))
  }))
})

describe("The report of the process", () => {
  it("has the addresses of connected hosts, whose names are not looked up", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("The server has no port.")
    const client = connect(address.port, "127.0.0.1")
    try {
      await once(client, "connect")
      const { libuv } = Schema.decodeUnknownSync(Handles)(OpenFiles.report())
      const hosts = libuv.flatMap(({ remoteEndpoint, type }) => type === "tcp" ? [remoteEndpoint?.host] : [])
      expect(hosts).toContain("127.0.0.1")
      expect(hosts).not.toContain("localhost")
    } finally {
      client.destroy()
      server.close()
    }
  })
})
