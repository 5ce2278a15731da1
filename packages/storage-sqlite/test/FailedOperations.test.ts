import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
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

/** A search reads its caller first. */
const { "search members": _search, ...others } = OPERATIONS

describe("an operation that the database rejects", () => {
  it.effect("is a failure with the name of the operation", () =>
    Effect.gen(function*() {
      yield* dropTables
      const told = yield* Effect.forEach(Object.values(others), (operation) =>
        Effect.map(Effect.flip(operation), (failure) => failure.message))
      expect(told).toEqual(
        Object.keys(others).map((name) =>
          `Storage failed: ${name}`
        )
      )
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is a failure also in a search that has begun", () =>
    Effect.gen(function*() {
      const directory = yield* MemberDirectory
      const begun = yield* directory.begin(UserId.make("1"), GuildId.make("1"))
      yield* dropTables
      const failure = yield* Effect.flip(begun.search(MemberQuery.make({})))
      expect(failure.message).toBe("Storage failed: search members")
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
