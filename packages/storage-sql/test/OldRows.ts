import * as Samples from "@community-messaging/domain-contract/Samples"
import {
  contents,
  deleteDue,
  dispatch,
  dueMessage,
  ONE_DONE,
  scheduleDeletion,
  stored,
  storedUser
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { START, useCases } from "@community-messaging/domain-contract/world/World"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import type { User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"

/** An integer that older versions accepted. */
const TOO_LARGE = 2 ** 40

/** Gives the account values that older versions accepted. */
const age = (id: UserId) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      UPDATE users SET
        accent_color = ${TOO_LARGE}, premium_type = ${TOO_LARGE}, suspicious_activity_flags = ${TOO_LARGE},
        authenticator_types = '[1, 1099511627776]', email = 'n@host.123', email_key = 'n@host.123'
      WHERE id = ${id}
    `)

const OLD_VALUES = {
  accentColor: Option.some(TOO_LARGE),
  premiumType: Option.some(TOO_LARGE),
  suspiciousActivityFlags: TOO_LARGE,
  authenticatorTypes: [1, TOO_LARGE],
  email: Option.some("n@host.123")
}

const oldAccount = Effect.gen(function*() {
  const user = Samples.user()
  yield* Effect.flatMap(UserRepository, ({ save }) => save(user))
  yield* age(user.id)
  return yield* storedUser(user.id)
})

/** A due message whose payload and author have values that older versions accepted. */
const oldDueMessage = Effect.gen(function*() {
  const due = yield* dueMessage
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE scheduled_messages SET payload = '{"content": "hello", "flags": 1099511627776}' WHERE id = ${due.message.id}
  `
  yield* age(due.author.id)
  return due
})

/** What every SQL storage does with rows that an older version stored, under rules that are stricter today. */
export const oldRows = <E>(storage: Layer.Layer<StoragePorts | SqlClient.SqlClient, E>): void => {
  const world = Layer.provideMerge(useCases(1), storage)
  const inWorld = <A, E2, R>(test: Effect.Effect<A, E2, R>) =>
    Time.startAt(START).pipe(Effect.zipRight(test), Effect.scoped, Effect.provide(world))

  describe("an account that was stored under older rules", () => {
    it.effect.each<readonly [method: string, save: (user: User) => Effect.Effect<unknown, unknown, UserRepository>]>([
      ["save", (user) => Effect.flatMap(UserRepository, ({ save }) => save(user))],
      ["saveWithoutNewEmail", (user) => Effect.flatMap(UserRepository, (users) => users.saveWithoutNewEmail(user))],
      ["saveAll", (user) => Effect.flatMap(UserRepository, ({ saveAll }) => saveAll([user]))]
    ])("keeps its values when others change, with %s", ([, save]) =>
      Effect.gen(function*() {
        const before = yield* oldAccount
        yield* save({ ...before, username: "renamed" })
        expect(yield* storedUser(before.id)).toMatchObject({ ...OLD_VALUES, username: "renamed" })
      }).pipe(inWorld))

    it.effect("gets no other value that breaks a rule", () =>
      Effect.gen(function*() {
        const { save } = yield* UserRepository
        const before = yield* oldAccount
        const wrong = { ...before, accentColor: Option.some(TOO_LARGE + 1) }
        expect(yield* Effect.flip(save(wrong))).toMatchObject({ _tag: "StorageError" })
        expect((yield* storedUser(before.id)).accentColor).toEqual(OLD_VALUES.accentColor)
      }).pipe(inWorld))

    it.effect("does not allow its values to another account, neither a new nor a stored one", () =>
      Effect.gen(function*() {
        const { save } = yield* UserRepository
        const { accentColor } = yield* oldAccount
        const other = Samples.user()
        expect(yield* Effect.flip(save({ ...other, accentColor }))).toMatchObject({ _tag: "StorageError" })
        yield* save(other)
        expect(yield* Effect.flip(save({ ...other, accentColor }))).toMatchObject({ _tag: "StorageError" })
      }).pipe(inWorld))

    it.effect("gets another e-mail address", () =>
      Effect.gen(function*() {
        const { id: userId } = yield* oldAccount
        const { changeEmail } = yield* Accounts
        const email = EmailAddress.make("ada@example.org")
        yield* changeEmail({ userId, email, actor: { _tag: "CommandLine" } })
        expect(yield* storedUser(userId)).toMatchObject({ ...OLD_VALUES, email: Option.some(email) })
      }).pipe(inWorld))

    it.effect("is deleted when its time comes", () =>
      Effect.gen(function*() {
        const { id } = yield* oldAccount
        yield* scheduleDeletion(id, 14)
        yield* Time.setTime(START.epochMillis + Duration.toMillis("15 days"))
        expect(yield* deleteDue()).toEqual(ONE_DONE)
        expect(yield* storedUser(id)).toMatchObject({ accentColor: Option.none(), deletedAt: { _tag: "Some" } })
      }).pipe(inWorld))
  })

  describe("a due message that was stored under older rules", () => {
    it.effect("becomes invalid, with the reason", () =>
      Effect.gen(function*() {
        const { channel, message } = yield* oldDueMessage
        expect(yield* dispatch()).toEqual(ONE_DONE)
        expect(yield* stored(message.id)).toMatchObject({
          status: "invalid",
          statusReason: Option.some("The message has a value that is not allowed any more."),
          payload: { flags: TOO_LARGE }
        })
        expect(yield* contents(channel.id)).toEqual([])
      }).pipe(inWorld))

    it.effect("is cancelled by its author", () =>
      Effect.gen(function*() {
        const { author, message } = yield* oldDueMessage
        const { cancel } = yield* ScheduledMessages
        yield* cancel(author.id, message.id)
        expect(yield* stored(message.id)).toMatchObject({ status: "cancelled" })
      }).pipe(inWorld))

    it.effect("is cancelled when the account of its author is deleted", () =>
      Effect.gen(function*() {
        const { author, message } = yield* oldDueMessage
        yield* scheduleDeletion(author.id, 14)
        yield* Time.setTime((yield* DateTime.now).epochMillis + Duration.toMillis("15 days"))
        expect(yield* deleteDue()).toEqual(ONE_DONE)
        expect(yield* stored(message.id)).toMatchObject({ status: "cancelled" })
      }).pipe(inWorld))
  })
}
