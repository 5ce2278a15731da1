import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { OPERATIONS } from "./Operations.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

/** Removes all tables, so that every statement fails. */
const dropTables = Effect.gen(function*() {
  const sql = yield* SqliteClient.SqliteClient
  yield* sql`PRAGMA foreign_keys = OFF`
  const tables = yield* sql<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
  `
  yield* Effect.forEach(tables, ({ name }) => sql.unsafe(`DROP TABLE ${name}`))
})

describe("an operation that the database rejects", () => {
  it.effect("is a failure with the name of the operation", () =>
    Effect.gen(function*() {
      yield* dropTables
      const told = yield* Effect.forEach(Object.values(OPERATIONS), (operation) =>
        Effect.map(Effect.flip(operation), (failure) => failure.message))
      expect(told).toEqual(
        Object.keys(OPERATIONS).map((name) =>
          `Storage failed: ${name}`
        )
      )
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
