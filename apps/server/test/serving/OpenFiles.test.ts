import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { spawnSync } from "node:child_process"
import * as OpenFiles from "../../src/serving/OpenFiles.ts"

/** How many files this process may have open, as a process that it starts is told; none where that is unlimited. */
const limit = Number(spawnSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).stdout)

const RESERVED = 100

/** How many of the connections are possible, and what the log says. */
const possible = (connections: number) => {
  const log: Array<unknown> = []
  const logger = Logger.make(({ message }) => void log.push(message))
  return OpenFiles.atMost(connections).pipe(
    Effect.map((count) => ({ count, log: log.flat() })),
    Effect.provide(Logger.replace(Logger.defaultLogger, logger))
  )
}

describe.skipIf(Number.isNaN(limit))("The number of connections", () => {
  it.effect("is at most the limit of open files less those that the server needs, and the log says so", () =>
    Effect.gen(function*() {
      const { count, log } = yield* possible(limit)
      expect(count).toBe(limit - RESERVED)
      expect(log).toEqual([
        `MAX_CONNECTIONS is ${limit}, but the limit of ${limit} open files allows ${limit - RESERVED} only`
      ])
    }))

  it.effect("is as it was set when the limit of open files allows it", () =>
    Effect.gen(function*() {
      expect(yield* possible(limit - RESERVED)).toEqual({ count: limit - RESERVED, log: [] })
    }))
})
