import { type Connection, type ConnectionOptions, Connector } from "@community-messaging/storage-sqlite/Connection"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Context, Effect, Layer } from "effect"
import { emptyStorageFilename } from "./TemporaryDatabase.ts"

/** A statement with its parameters. */
export interface Asked {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The statements that a storage sends to its connections, in order. */
export class Recording extends Context.Tag("@community-messaging/storage-sqlite/test/Recording")<Recording, {
  /** Another client of the same file. */
  readonly client: SqliteClient.SqliteClient
  readonly filename: string
  readonly asked: Array<Asked>
}>() {}

const recording = (filename: string) =>
  Layer.effect(
    Recording,
    Effect.map(SqliteClient.SqliteClient, (client) => ({ client, filename, asked: [] }))
  )

const recordingConnector = Layer.effect(
  Connector,
  Effect.zipWith(Recording, Connector, ({ asked }, { open }) => ({
    open: (options: ConnectionOptions) =>
      Effect.map(open(options), (connection): Connection => ({
        ...connection,
        run: (text, parameters) => {
          asked.push({ text, parameters })
          return connection.run(text, parameters)
        },
        values: (text, parameters) => {
          asked.push({ text, parameters })
          return connection.values(text, parameters)
        }
      }))
  }))
)

/** A storage in a new file that records its statements. */
export const recordedStorage = Layer.unwrapScoped(
  Effect.map(emptyStorageFilename, (filename) =>
    StorageSqlite.layer({ filename }).pipe(
      Layer.provide(recordingConnector),
      Layer.provideMerge(recording(filename)),
      Layer.provide(SqliteClient.layer({ filename }))
    ))
)
