import type { UserId } from "@community-messaging/domain/account/User"
import type { Channel } from "@community-messaging/domain/guild/Channel"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { expect } from "@effect/vitest"
import { DateTime, Effect, Either, Random } from "effect"
import * as Saved from "../Saved.ts"
import { cancelDeletion, greeting, inUtc, join, saying, scheduleDeletion } from "./Scene.ts"
import type { UseCases } from "./World.ts"

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** An account as somebody noted it. Moments are in Unix milliseconds. */
export interface NotedAccount {
  readonly id: UserId
  deletionAt: number | undefined
  deletedAt: number | undefined
}

/** A scheduled message as somebody noted it, by its content, which is its number. */
export interface NotedMessage {
  readonly id: ScheduledMessageId
  readonly author: number
  at: number
  end: { readonly status: "sent" | "cancelled"; readonly at: number } | undefined
}

/** What somebody wrote down who saw all that was asked for and when servers were at work, and asked storage nothing. */
export interface Notes {
  readonly accounts: Array<NotedAccount>
  readonly messages: Array<NotedMessage>
}

/** Something that somebody does. */
export type Act = Effect.Effect<void, unknown, UseCases | StoragePorts>

/** Now, in Unix milliseconds. */
export const now = Effect.map(DateTime.now, DateTime.toEpochMillis)

/** Between a minute and ten days ahead. */
const moment = Effect.map(
  Effect.zip(now, Random.nextIntBetween(MINUTE, 10 * DAY)),
  ([at, ahead]) => DateTime.unsafeMake(at + ahead)
)

const oneOf = <A>(items: ReadonlyArray<A>) =>
  Effect.flatMap(Random.nextIntBetween(0, items.length), (index) => Effect.fromNullable(items[index]))

/**
 * What people do in a channel, as chance has it; each time the answer is the one to be expected from the notes, and is
 * noted.
 */
export const traffic = (channel: Channel, notes: Notes) => {
  const ofAuthor = <A, E, R>(
    message: NotedMessage,
    act: (authorId: UserId) => Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function*() {
      const { id } = yield* Effect.fromNullable(notes.accounts[message.author])
      const outcome = yield* Effect.either(act(id))
      expect(Either.isRight(outcome)).toBe(message.end === undefined)
      return Either.isRight(outcome)
    })

  const acts: Readonly<
    Record<"arrive" | "schedule" | "edit" | "cancel" | "scheduleDeletion" | "cancelDeletion", Act>
  > = {
    /** Somebody makes an account and joins. */
    arrive: Effect.gen(function*() {
      const { id } = yield* Saved.user()
      yield* join(channel.guildId, id)
      notes.accounts.push({ id, deletionAt: undefined, deletedAt: undefined })
    }),
    schedule: Effect.gen(function*() {
      const author = yield* Random.nextIntBetween(0, notes.accounts.length)
      const { deletedAt, id } = yield* Effect.fromNullable(notes.accounts[author])
      const at = yield* moment
      const given = greeting(channel.id, { ...inUtc(at), payload: saying(`${notes.messages.length}`) })
      const outcome = yield* Effect.either(
        Effect.flatMap(ScheduledMessages, (messages) => messages.schedule(id, given))
      )
      expect(Either.isRight(outcome)).toBe(deletedAt === undefined)
      if (Either.isLeft(outcome)) return
      notes.messages.push({ id: outcome.right.id, author, at: DateTime.toEpochMillis(at), end: undefined })
    }),
    edit: Effect.gen(function*() {
      const message = yield* oneOf(notes.messages)
      const at = yield* moment
      const done = yield* ofAuthor(
        message,
        (authorId) => Effect.flatMap(ScheduledMessages, (messages) => messages.edit(authorId, message.id, inUtc(at)))
      )
      if (done) message.at = DateTime.toEpochMillis(at)
    }),
    cancel: Effect.gen(function*() {
      const message = yield* oneOf(notes.messages)
      const done = yield* ofAuthor(
        message,
        (authorId) => Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, message.id))
      )
      if (done) message.end = { status: "cancelled", at: yield* now }
    }),
    scheduleDeletion: Effect.gen(function*() {
      const account = yield* oneOf(notes.accounts)
      const days = yield* Random.nextIntBetween(1, 6)
      const outcome = yield* Effect.either(scheduleDeletion(account.id, days))
      expect(Either.isRight(outcome)).toBe(account.deletedAt === undefined)
      if (Either.isRight(outcome)) account.deletionAt = (yield* now) + days * DAY
    }),
    cancelDeletion: Effect.gen(function*() {
      const account = yield* oneOf(notes.accounts)
      const outcome = yield* Effect.either(cancelDeletion(account.id))
      expect(Either.isRight(outcome)).toBe(account.deletedAt === undefined && account.deletionAt !== undefined)
      if (Either.isRight(outcome)) account.deletionAt = undefined
    })
  }
  return acts
}

/** Notes what a server has to have done by now: posted what is due, then deleted the accounts that are. */
export const noteWork = (notes: Notes, at: number): void => {
  for (const message of notes.messages) {
    if (message.end === undefined && message.at <= at) message.end = { status: "sent", at }
  }
  for (const [author, account] of notes.accounts.entries()) {
    if (account.deletedAt !== undefined || account.deletionAt === undefined || account.deletionAt > at) continue
    account.deletedAt = at
    for (const message of notes.messages) {
      if (message.author === author && message.end === undefined) message.end = { status: "cancelled", at }
    }
  }
}
