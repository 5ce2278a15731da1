import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { searchMembers } from "@community-messaging/domain-contract/SearchSamples"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"

const claim = { now: Samples.NOON, leaseUntil: Samples.noonPlus(1000), limit: 10 }

/** A due message. */
const due = Effect.gen(function*() {
  const author = Samples.user()
  const message = Samples.scheduledMessage({ authorId: author.id, scheduledAt: Samples.NOON, status: "scheduled" })
  yield* (yield* UserRepository).save(author)
  yield* (yield* ScheduledMessageRepository).insert(message)
  return message
})

/** A due message whose row was edited by hand. */
const dueAndInvalid = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { authorId, id } = yield* due
  yield* sql`UPDATE scheduled_messages SET payload = '{"content": ["secret"]}' WHERE id = ${id}`
  return { authorId, id }
})

/** What every SQL storage does with rows that violate their schema, such as those of another program. */
export const invalidRows = <E>(storage: Layer.Layer<StoragePorts | SqlClient.SqlClient, E>): void => {
  describe("an invalid row", () => {
    it.effect("of a due message does not prevent the claim of the others", () =>
      Effect.gen(function*() {
        const { claimDue } = yield* ScheduledMessageRepository
        const ids = [(yield* due).id, (yield* dueAndInvalid).id, (yield* due).id]
        expect((yield* claimDue(claim)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      }).pipe(Effect.provide(storage)))

    it.effect("of a due deletion does not prevent the claim of the others", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { claimDueDeletions, save } = yield* UserRepository
        const users = [1, 2].map(() => Samples.user({ pendingDeletionAt: Option.some(Samples.NOON) }))
        yield* Effect.forEach(users, save)
        yield* sql`UPDATE users SET traits = '{' WHERE id = ${users[0]?.id ?? ""}`
        expect((yield* claimDueDeletions(claim)).toSorted()).toEqual(users.map(({ id }) => id).toSorted())
      }).pipe(Effect.provide(storage)))

    it.effect("is a failure that names its table, its key and the wrong value, and has no values", () =>
      Effect.gen(function*() {
        const { find, list, undelivered } = yield* ScheduledMessageRepository
        const { authorId, id } = yield* dueAndInvalid
        const failures = [
          yield* Effect.flip(find(id)),
          yield* Effect.flip(undelivered(authorId)),
          yield* Effect.flip(list({ after: Option.none(), limit: 10 }))
        ]
        const told = `Storage failed: read rows of scheduled_messages: invalid payload.content in id ${id}`
        expect(failures.map(({ message }) => message)).toEqual([told, told, told])
      }).pipe(Effect.provide(storage)))

    it.effect("of a member is a failure that names the member, and only of searches in that guild", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const [one, other] = [yield* Saved.guild(), yield* Saved.guild()]
        const { id: userId } = yield* Saved.user()
        yield* Saved.membership({ guildId: one.id, userId })
        yield* Saved.membership({ guildId: other.id, userId })
        yield* sql`UPDATE memberships SET role_ids = '["x"]' WHERE guild_id = ${one.id}`
        expect((yield* Effect.flip(searchMembers(one.id, MemberQuery.make()))).message).toBe(
          `Storage failed: read rows of memberships: invalid row of ${userId}`
        )
        expect((yield* searchMembers(other.id, MemberQuery.make())).total).toBe(1)
      }).pipe(Effect.provide(storage)))
  })
}
