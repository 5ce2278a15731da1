import { Connection, preparedStatements } from "@community-messaging/storage-postgres/Connection"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
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
