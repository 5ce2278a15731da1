import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { clientOf } from "./SharedTransactions.ts"
import { answering, closed } from "./SilentServer.ts"
import { migrated } from "./TemporaryDatabase.ts"

const optionsOf = (url: string) => ({ url: Redacted.make(url), connectTimeout: "1 minute" as const })
const inspect = (url: string) => Inspection.inspect(optionsOf(url))

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

/** A row with the integer 7 in its only column, `value`. */
const SEVEN = [
  message("T", "\0\x01value\0\0\0\0\0\0\0\0\0\0\x17\0\x04\0\0\0\0\0\0"),
  message("D", "\0\x01\0\0\0\x017"),
  message("C", "SELECT 1\0")
]

/** Accepts the client, and answers each of its statements with that row. */
const answeringSeven = (received: Buffer) =>
  Buffer.concat([...received[0] === 0 ? [message("R", "\0\0\0\0")] : SEVEN, READY])

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

  it.scopedLive("ends if the database does not close the connection", () =>
    Effect.gen(function*() {
      const { connected, url } = yield* answering(refusing)
      const fiber = yield* Effect.forkDaemon(Effect.flip(inspect(url)))
      const socket = yield* connected
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      // It does not end its side when the client does.
      socket.allowHalfOpen = true
      expect(yield* inTime(Fiber.join(fiber))).toMatchObject({ cause: { message: "no" } })
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

  it.scopedLive("finds two connections with one process, as a pooler in transaction mode gives them", () =>
    Effect.gen(function*() {
      const { url } = yield* answering(answeringSeven)
      expect(yield* Inspection.sharesProcesses(optionsOf(url))).toBe(true)
      expect(yield* Inspection.sharesProcesses(optionsOf(yield* migrated))).toBe(false)
    }))

  it.scopedLive("finds no such pooler if the database refuses connections", () =>
    Effect.gen(function*() {
      const { url } = yield* answering(refusing)
      expect(yield* Inspection.sharesProcesses(optionsOf(url))).toBe(false)
    }))
})
