import type { UserId } from "@community-messaging/domain/account/User"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { DateTime, Effect, FastCheck, Option } from "effect"
import { cancelDeletion, inUtc, join, saying, schedule, scheduleDeletion } from "../world/Scene.ts"
import type { UseCases } from "../world/World.ts"
import { always, anyServer, type Command, type Scheduled } from "./Command.ts"
import * as Model from "./DueWorkModel.ts"

/* Commands of authors and administrators. */

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const answer = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

const accountNumber = FastCheck.nat({ max: 2 })
const messageNumber = FastCheck.nat({ max: 1_000_000 })

/** How far ahead a message is scheduled, in milliseconds: mostly soon, sometimes at a bound of the allowed window. */
const ahead = FastCheck.oneof(
  { weight: 6, arbitrary: FastCheck.integer({ min: 1, max: 2 * MINUTE }) },
  { weight: 2, arbitrary: FastCheck.integer({ min: 1, max: 3 * DAY }) },
  { weight: 1, arbitrary: FastCheck.constantFrom(-1, 0, 1, 365 * DAY, 365 * DAY + 1) }
)

const later = (millis: number) => Effect.map(DateTime.now, (now) => inUtc(DateTime.add(now, { millis })))

/** An author schedules a message. */
export const scheduling = FastCheck.record({ server: anyServer, author: accountNumber, ahead }).map((
  given
): Command => ({
  name: `schedule(account ${given.author}, in ${given.ahead} ms)`,
  server: given.server,
  precondition: always,
  inModel: (model) => Model.schedule(model, given.author, model.now + given.ahead),
  inReal: ({ authors, channel, messages }) =>
    Effect.gen(function*() {
      const author = yield* Effect.fromNullable(authors[given.author])
      const payload = saying(`${messages.length}`)
      const message = yield* schedule({ author, channel }, { ...(yield* later(given.ahead)), payload })
      messages.push({ id: message.id, authorId: author.id })
    }).pipe(answer)
}))

/** An author changes one of their messages. */
const withMessage = (
  given: { readonly name: string; readonly server: Command["server"]; readonly number: number },
  inModel: (model: Model.Model, number: number) => Model.Outcome,
  inReal: (message: Scheduled) => Effect.Effect<unknown, { readonly _tag: string }, UseCases>
): Command => {
  const which = ({ length }: ReadonlyArray<unknown>) => given.number % length
  return {
    name: given.name,
    server: given.server,
    precondition: ({ messages }) => messages.length > 0,
    inModel: (model) => inModel(model, which(model.messages)),
    inReal: ({ messages }) => answer(Effect.flatMap(Effect.fromNullable(messages[which(messages)]), inReal))
  }
}

/** An author edits a message, and sometimes moves it. */
export const editing = FastCheck.record({
  server: anyServer,
  number: messageNumber,
  ahead: FastCheck.option(ahead, { nil: undefined })
})
  .map((given) =>
    withMessage(
      { ...given, name: `edit(message ${given.number}, ${given.ahead === undefined ? "" : `in ${given.ahead} ms`})` },
      (model, number) => Model.edit(model, number, given.ahead === undefined ? undefined : model.now + given.ahead),
      ({ authorId, id }) =>
        Effect.gen(function*() {
          const changes = given.ahead === undefined ? {} : yield* later(given.ahead)
          return yield* (yield* ScheduledMessages).edit(authorId, id, changes)
        })
    )
  )

/** An author cancels a message. */
export const cancelling = FastCheck.record({ server: anyServer, number: messageNumber }).map((given) =>
  withMessage(
    { ...given, name: `cancel(message ${given.number})` },
    Model.cancel,
    ({ authorId, id }) => Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))
  )
)

/** An account changes. */
const withAccount = (
  given: { readonly name: string; readonly server: Command["server"]; readonly account: number },
  inModel: (model: Model.Model, number: number) => Model.Outcome,
  inReal: (userId: UserId) => Effect.Effect<unknown, { readonly _tag: string }, UseCases>
): Command => ({
  name: given.name,
  server: given.server,
  precondition: always,
  inModel: (model) => inModel(model, given.account),
  inReal: ({ authors }) => answer(Effect.flatMap(Effect.fromNullable(authors[given.account]), ({ id }) => inReal(id)))
})

/** An administrator schedules the deletion of an account. */
export const schedulingDeletion = FastCheck.record({
  server: anyServer,
  account: accountNumber,
  days: FastCheck.integer({ min: 1, max: 5 })
})
  .map((given) =>
    withAccount(
      { ...given, name: `scheduleDeletion(account ${given.account}, in ${given.days} days)` },
      (model, number) => Model.scheduleDeletion(model, number, given.days),
      (userId) => scheduleDeletion(userId, given.days)
    )
  )

/** An administrator cancels the deletion of an account. */
export const cancellingDeletion = FastCheck.record({ server: anyServer, account: accountNumber }).map((given) =>
  withAccount({ ...given, name: `cancelDeletion(account ${given.account})` }, Model.cancelDeletion, cancelDeletion)
)

/** An account joins the guild, or leaves it. */
export const movingMember = accountNumber.map((number): Command => ({
  name: `join or leave(account ${number})`,
  server: "first",
  precondition: ({ accounts }) => accounts[number]?.isDeleted === false,
  inModel: (model) => ({ model: Model.moveMember(model, number), answer: "ok" }),
  inReal: ({ authors, channel: { guildId } }) =>
    Effect.gen(function*() {
      const { id } = yield* Effect.fromNullable(authors[number])
      const memberships = yield* MembershipRepository
      const found = yield* memberships.find(guildId, id)
      yield* Option.isSome(found) ? memberships.remove(guildId, id) : join(guildId, id)
    }).pipe(answer)
}))
