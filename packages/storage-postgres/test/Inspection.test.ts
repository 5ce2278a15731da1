import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { clientOf } from "./SharedTransactions.ts"
import { answering, closed } from "./SilentServer.ts"
import { migrated } from "./TemporaryDatabase.ts"

const inspect = (url: string) => Inspection.inspect({ url: Redacted.make(url), connectTimeout: "1 minute" })

/** Fails if it waits for the database. */
const inTime = Effect.timeout("3 seconds")

/** A message of the protocol: its type, its length and its content. */
const message = (type: string, content: string) => {
  const head = Buffer.from(`${type}0000`)
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, Buffer.from(content)])
}

const READY = message("Z", "I")

/** Accepts the client, and refuses each of its statements. */
const refusing = (received: Buffer) =>
  received[0] === 0
    ? Buffer.concat([message("R", "\0\0\0\0"), READY])
    : Buffer.concat([message("E", "SERROR\0C57P03\0Mno\0\0"), READY])

describe("an inspection", () => {
  it.scopedLive("can be interrupted while the database does not answer, and closes its connection", () =>
    Effect.gen(function*() {
      const { connected, url } = yield* answering()
      const fiber = yield* Effect.forkDaemon(inspect(url))
      const socket = yield* connected
      yield* inTime(Fiber.interrupt(fiber))
      yield* inTime(closed(socket))
    }))

  it.scopedLive("closes its connection if the database refuses its first statement", () =>
    Effect.gen(function*() {
      const { connected, url } = yield* answering(refusing)
      const failure = yield* Effect.flip(inspect(url))
      expect(failure).toMatchObject({ operation: "inspect the database", cause: { message: "no" } })
      yield* inTime(Effect.flatMap(connected, closed))
    }))

  it.scopedLive("has exact times, with any number of digits that the role sets for inexact numbers", () =>
    Effect.gen(function*() {
      const url = new URL(yield* migrated)
      const epoch = 1_420_070_400_123
      const client = yield* clientOf(url.href)
      yield* Effect.promise(() => client.query("INSERT INTO snowflake_epoch (id, unix_millis) VALUES (1, $1)", [epoch]))
      url.searchParams.set("options", "-c extra_float_digits=-10")
      const { clockLead, content } = yield* inspect(url.href)
      expect(Option.map(content, (found) => found.epoch)).toEqual(Option.some(epoch))
      expect(Math.abs(clockLead)).toBeLessThan(5000)
    }))
})
