import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

const LARGEST = UserId.make("9223372036854775807")

describe("snowflakes", () => {
  it.effect("the largest one is stored as a 64-bit integer", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      yield* Saved.user({ id: LARGEST })
      const rows = yield* sql`SELECT typeof(id) AS type, id = 9223372036854775807 AS same FROM users`
      expect(rows).toEqual([{ type: "integer", same: 1 }])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("an entity that does not match its row", () => {
  it.effect("is a failure that names its table and the wrong value", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const failure = yield* Effect.flip(save(Samples.user({ accentColor: Option.some(0.5) })))
      expect(failure.message).toBe("Storage failed: write a row of users: invalid accentColor")
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("the limits of a value", () => {
  it.effect("are not checked again when it is read, also in a nullable column", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { find } = yield* UserRepository
      const user = yield* Saved.user()
      yield* sql`UPDATE users SET email = 'no address' WHERE id = ${user.id}`
      expect(Option.flatMap(yield* find(user.id), ({ email }) => email)).toEqual(Option.some("no address"))
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("a written row", () => {
  it.effect("cannot be removed while others refer to it, not even with SQL", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const user = yield* Saved.user()
      yield* sql`INSERT INTO credentials (id, kind, digest, created_at, user_id) VALUES (1, 'BotToken', 'x', 0, ${user.id})`
      const failure = yield* Effect.flip(sql`DELETE FROM users WHERE id = ${user.id}`)
      expect(failure.cause).toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" })
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
