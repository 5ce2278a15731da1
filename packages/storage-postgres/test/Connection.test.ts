import { Connection } from "@community-messaging/storage-postgres/Connection"
import * as PostgresFailure from "@community-messaging/storage-postgres/PostgresFailure"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Scheduler } from "effect"
import { Client } from "pg"
import { emptyDatabase } from "../../../test/Postgres.ts"

const connected = Effect.flatMap(emptyDatabase, (url) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url, pipeline: true })
      const connection = new Connection(client, "CREATE TABLE numbers (number int)", () => {})
      await client.connect()
      return connection
    }),
    (connection) => Effect.sync(() => connection.close())
  ))

/** Sends statements while `canSend` is true. Returns their number. */
const sendAll = (connection: Connection, begin: number): number => {
  let count = 0
  while (connection.canSend && count < 1000) {
    connection.send("INSERT INTO numbers VALUES (?)", [begin + count])
    count += 1
  }
  return count
}

it.scopedLive("64 statements can be sent without waiting, and 64 more after the responses", () =>
  Effect.gen(function*() {
    const connection = yield* connected
    yield* connection.command("SELECT 1")
    const first = sendAll(connection, 0)
    expect(yield* connection.run("SELECT count(*)::int AS count FROM numbers", [])).toEqual([{ count: 64 }])
    expect([first, sendAll(connection, first)]).toEqual([64, 64])
    yield* connection.command("SELECT 1")
  }))

it.scopedLive("a statement is sent before the effect that waits for its rows runs", () =>
  Effect.gen(function*() {
    const connection = yield* connected
    const inserted = connection.run("INSERT INTO numbers VALUES (?) RETURNING number", [7])
    expect(yield* connection.run("SELECT number FROM numbers", [])).toEqual([{ number: 7 }])
    expect(yield* inserted).toEqual([{ number: 7 }])
  }))

it.scopedLive("the failure of a sent statement stays known when a fiber reads an earlier response after it", () =>
  Effect.gen(function*() {
    const connection = yield* connected
    const held: Array<() => void> = []
    const scheduler = Scheduler.make((task) => held.push(task))
    const reader = yield* Effect.fork(Effect.withScheduler(connection.run("SELECT 1 AS number", []), scheduler))
    yield* Effect.yieldNow()
    connection.send("INSERT INTO letters VALUES (?)", ["a"])
    // Its response comes last, and the reader continues only now.
    yield* connection.command("SELECT 1")
    for (const task of held) task()
    expect(yield* Fiber.join(reader)).toEqual([{ number: 1 }])
    expect(connection.failureSent?.cause).toMatchObject({ message: "relation \"letters\" does not exist" })
  }))

it.scopedLive("a statement fails with the reason for which the database ended the unused connection before it", () =>
  Effect.gen(function*() {
    const [connection, other] = [yield* connected, yield* connected]
    const [[pid] = []] = yield* connection.values("SELECT pg_backend_pid()", [])
    yield* other.run("SELECT pg_terminate_backend(?::int)", [Number(pid)])
    yield* Effect.repeat(other.command("SELECT 1"), { until: () => connection.isLost })
    const failures = yield* Effect.replicateEffect(Effect.flip(connection.command("SELECT 1")), 2)
    expect(failures.map(PostgresFailure.isConnectionLost)).toEqual([true, true])
    expect(failures).toMatchObject([{ cause: { code: "57P01" } }, { cause: { code: "57P01" } }])
  }))
