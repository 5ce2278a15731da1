import { Connection } from "@community-messaging/storage-postgres/Connection"
import { preparedStatements } from "@community-messaging/storage-postgres/PreparedStatements"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Scheduler } from "effect"
import { Client } from "pg"
import { emptyDatabase } from "../../../test/Postgres.ts"

const connected = Effect.flatMap(emptyDatabase, (url) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: url, pipeline: true })
      const connection = new Connection(client, preparedStatements(), "CREATE TABLE numbers (number int)")
      await client.connect()
      return connection
    }),
    (connection) => Effect.sync(() => connection.close())
  ))

/** Sends statements as long as it may, and returns how many. */
const sendAll = (connection: Connection, begin: number): number => {
  let count = 0
  while (connection.canSend && count < 1000) {
    connection.send("INSERT INTO numbers VALUES (?)", [begin + count])
    count += 1
  }
  return count
}

it.scopedLive("so many statements may be under way that nobody waits for, and again as many when they are answered", () =>
  Effect.gen(function*() {
    const connection = yield* connected
    yield* connection.command("SELECT 1")
    const first = sendAll(connection, 0)
    expect(yield* connection.run("SELECT count(*)::int AS count FROM numbers", [])).toEqual([{ count: 64 }])
    expect([first, sendAll(connection, first)]).toEqual([64, 64])
    yield* connection.command("SELECT 1")
  }))

it.scopedLive("a failure that nobody waited for stays known when a fiber reads an earlier answer after it", () =>
  Effect.gen(function*() {
    const connection = yield* connected
    const held: Array<() => void> = []
    const scheduler = Scheduler.make((task) => held.push(task))
    const reader = yield* Effect.fork(Effect.withScheduler(connection.run("SELECT 1 AS number", []), scheduler))
    yield* Effect.yieldNow()
    connection.send("INSERT INTO letters VALUES (?)", ["a"])
    // It is answered last, and the reader goes on only now.
    yield* connection.command("SELECT 1")
    for (const task of held) task()
    expect(yield* Fiber.join(reader)).toEqual([{ number: 1 }])
    expect(connection.failureSent?.cause).toMatchObject({ message: "relation \"letters\" does not exist" })
  }))
