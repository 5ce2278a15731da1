import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { COMMUNITY, PENDING_MESSAGE, TODAY, toText } from "./Community.ts"
import { importText, inMemory } from "./Transfer.ts"

const HELPER = UserId.make("102")

const helper = COMMUNITY.find(({ id, kind }) => kind === "user" && id === HELPER)

/** The problems of an import of the records, and its events. */
const imported = (...records: ReadonlyArray<object>) =>
  Effect.gen(function*() {
    const log = yield* EventLog
    const last = (yield* log.read(0, 1000)).at(-1)?.sequence ?? 0
    const { failed } = yield* importText(toText(records))
    const events: ReadonlyArray<DomainEvent> = (yield* EventStream.read(last, 1000)).map(({ event }) => event)
    return { events, problems: failed.flatMap(({ problems }) => problems) }
  })

const inCommunity = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.zipRight(importText(toText(COMMUNITY)), test).pipe(Effect.provide(inMemory))

describe("an imported tombstone of an existing account", () => {
  const tombstone = { ...helper, deleted_at: "2024-06-30T00:00:00.000Z", email: "helper@example.org", bio: "Hello" }

  it.effect("stores no personal data, even if the line has some, with the events of a deletion, once", () =>
    Effect.gen(function*() {
      yield* imported(PENDING_MESSAGE)
      const { events } = yield* imported(tombstone)
      expect(events.map(({ _tag }) => _tag).sort()).toEqual([
        "member.left",
        "scheduled_message.updated",
        "scheduled_message.updated",
        "user.deleted"
      ])
      const user = yield* Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(HELPER)))
      expect(user).toMatchObject({
        username: "deleted-user-102",
        email: Option.none(),
        bio: Option.none(),
        bot: true,
        deletedAt: Option.some(DateTime.unsafeMake("2024-06-30T00:00:00.000Z"))
      })
      expect(yield* imported(tombstone)).toEqual({ events: [], problems: [] })
    }).pipe(inCommunity))
})

describe("the scheduled deletion of an imported account", () => {
  const pending = {
    kind: "user",
    id: "1",
    username: "ann",
    pending_deletion_at: "2024-07-08T00:00:00.000Z",
    deletion_reason_code: 3,
    deletion_public_reason: "Spam"
  }
  const scheduled = {
    _tag: "user.deletion_scheduled",
    version: 1,
    userId: "1",
    pendingDeletionAt: DateTime.addDuration(TODAY, "7 days"),
    reasonCode: 3,
    publicReason: Option.some("Spam")
  }
  const settled = { pending_deletion_at: null, deletion_reason_code: null, deletion_public_reason: null }

  it.effect.each<readonly [what: string, before: ReadonlyArray<object>, line: object, events: ReadonlyArray<object>]>([
    ["an event if the account is new", [], {}, [scheduled]],
    ["an event if the account exists already", [settled], {}, [scheduled]],
    ["another event if only its reason differs", [{}], { deletion_reason_code: 4 }, [{ ...scheduled, reasonCode: 4 }]],
    ["the event of its cancellation if the line has none", [{}], settled, [
      { _tag: "user.deletion_cancelled", userId: "1" }
    ]],
    ["no event if other fields change, which have theirs", [{}], { username: "anna" }, [
      { _tag: "user.updated", userId: "1", changed: ["username"] }
    ]],
    ["no event if a new account has none", [], settled, []]
  ])("has %s", ([, before, line, events]) =>
    Effect.gen(function*() {
      yield* imported(...before.map((fields) => ({ ...pending, ...fields })))
      expect(yield* imported({ ...pending, ...line })).toMatchObject({ events, problems: [] })
    }).pipe(Effect.provide(inMemory)))

  it.effect("is refused with the names of its fields if it breaks rules", () =>
    Effect.gen(function*() {
      const { events, problems } = yield* imported({ ...pending, system: true, deletion_reason_code: null })
      expect({ events, problems }).toEqual({
        events: [],
        problems: [
          { path: "pending_deletion_at", reason: "must not be set: a system account cannot be deleted" },
          { path: "deletion_reason_code", reason: "is required when a deletion is scheduled" }
        ]
      })
    }).pipe(Effect.provide(inMemory)))
})
