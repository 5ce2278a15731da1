import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { guards } from "../../storage-sql/test/Guards.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

guards({
  storage: temporaryStorageWithClient,
  checkViolation: "SQLITE_CONSTRAINT_CHECK",
  removals: ["DELETE FROM audit_records", "UPDATE audit_records SET at = 0"]
})

describe("a scheduled message against REPLACE, which only SQLite has", () => {
  it.effect("is not replaced by a message in another status", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { find } = yield* ScheduledMessageRepository
      const author = Samples.user()
      const message = Samples.scheduledMessage({ authorId: author.id, status: "sent" })
      yield* (yield* UserRepository).save(author)
      yield* (yield* ScheduledMessageRepository).insert(message)
      yield* Effect.flip(sql`
        INSERT OR REPLACE INTO scheduled_messages (
          id, author_id, channel_id, scheduled_at, scheduled_local_at, timezone, status, payload, created_at, attempts
        )
        SELECT
          id, author_id, channel_id, scheduled_at, scheduled_local_at, timezone, 'pending', payload, created_at, attempts
        FROM scheduled_messages WHERE id = ${message.id}
      `)
      expect(Option.map(yield* find(message.id), ({ status }) => status)).toEqual(Option.some("sent"))
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})
