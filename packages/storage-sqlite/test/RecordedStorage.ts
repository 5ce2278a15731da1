import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import type { SqlConnection } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Context, Effect, Layer } from "effect"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** A statement with its parameters. */
export interface Asked {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** What a storage asks the connection of its client, in order. */
export class Recording extends Context.Tag("@community-messaging/storage-sqlite/test/Recording")<Recording, {
  readonly client: SqliteClient.SqliteClient
  readonly filename: string
  readonly asked: Array<Asked>
}>() {}

const recording = (filename: string) =>
  Layer.effect(
    Recording,
    Effect.map(SqliteClient.SqliteClient, (client) => ({ client, filename, asked: [] }))
  )

const recordedClient = Layer.effect(
  SqliteClient.SqliteClient,
  Effect.map(Recording, ({ asked, client }) => {
    const reserve = Effect.map(client.reserve, (connection): SqlConnection.Connection => ({
      ...connection,
      execute: (text, parameters, transform) => {
        asked.push({ text, parameters })
        return connection.execute(text, parameters, transform)
      }
    }))
    // A client is a function too: spreading it would lose that.
    return new Proxy(client, {
      get: (target, property, receiver): unknown =>
        property === "reserve" ? reserve : Reflect.get(target, property, receiver)
    })
  })
)

/** A storage in a file of its own that records what it asks of the database. */
export const recordedStorage = Layer.unwrapScoped(
  Effect.map(temporaryFilename, (filename) =>
    StorageSqlite.layerFromClient.pipe(
      Layer.provide(recordedClient),
      Layer.provideMerge(recording(filename)),
      Layer.provide(SqliteClient.layer({ filename }))
    ))
)
