import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { spawnSync } from "node:child_process"
import * as OpenFiles from "../../src/serving/OpenFiles.ts"

/** The limit of open files of this process, which its child processes inherit; NaN if it is unlimited. */
const limit = Number(spawnSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).stdout)

const RESERVED = 100

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
