import type { UserId } from "@community-messaging/domain/account/User"
import type { DueWork } from "@community-messaging/domain/DueWork"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { DateTime, Effect, FastCheck, Option, Random } from "effect"
import * as Model from "./DueWorkModel.ts"
import * as Faults from "./Faults.ts"
import {
  cancelDeletion,
  deleteDue,
  dispatch,
  inUtc,
  join,
  removeExpired,
  saying,
  type Scene,
  schedule,
  scheduleDeletion
} from "./Scene.ts"
import * as Time from "./Time.ts"
import type { UseCases } from "./World.ts"

/** The storage as commands work on it: who is there, and the messages that were scheduled so far, by their numbers. */
export interface Storage {
  readonly channel: Scene["channel"]
  readonly authors: ReadonlyArray<Scene["author"]>
  readonly messages: Array<Scheduled>
}

/** A message that was scheduled, and whose it is. */
interface Scheduled {
  readonly id: ScheduledMessageId
  readonly authorId: UserId
}

/** Something that happens, in the model and in fact. Both give the same answer and leave the same behind. */
export interface Happening {
  readonly name: string
  /** Which of two servers it happens on. */
  readonly server: "first" | "second"
  /** Where the model leaves open what would come of it, it is left out. */
  readonly isTold: (model: Model.Model) => boolean
  readonly inModel: (model: Model.Model) => Model.Stepped
  /** `now` is the moment in the model afterwards, in Unix milliseconds. */
  readonly inFact: (storage: Storage, now: number) => Effect.Effect<string, unknown, UseCases | StoragePorts>
}

const always = () => true

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 1440 * MINUTE

/** More than there ever is in these runs. */
const ALL = 1000

/** Chance is the same each time, so that further attempts come after 1, 2, 4 and 8 seconds exactly. */
const withoutChance = Effect.withRandom(Random.fixed([0.5]))

const answer = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

const counted = ({ claimed, done, failed }: DueWork): string => `claimed ${claimed}, done ${done}, failed ${failed}`

const server = FastCheck.constantFrom<Happening["server"]>("first", "second")
const accountNumber = FastCheck.nat({ max: 2 })
const messageNumber = FastCheck.nat({ max: 1_000_000 })

/** How far ahead something is scheduled, in milliseconds: mostly soon, at times at an edge of what is allowed. */
const ahead = FastCheck.oneof(
  { weight: 6, arbitrary: FastCheck.integer({ min: 1, max: 2 * MINUTE }) },
  { weight: 2, arbitrary: FastCheck.integer({ min: 1, max: 3 * DAY }) },
  { weight: 1, arbitrary: FastCheck.constantFrom(-1, 0, 1, 365 * DAY, 365 * DAY + 1) }
)

const later = (millis: number) => Effect.map(DateTime.now, (now) => inUtc(DateTime.add(now, { millis })))

const scheduling = FastCheck.record({ server, author: accountNumber, ahead }).map((given): Happening => ({
  name: `schedule(account ${given.author}, in ${given.ahead} ms)`,
  server: given.server,
  isTold: always,
  inModel: (model) => Model.schedule(model, given.author, model.now + given.ahead),
  inFact: ({ authors, channel, messages }) =>
    Effect.gen(function*() {
      const author = yield* Effect.fromNullable(authors[given.author])
      const payload = saying(`${messages.length}`)
      const message = yield* schedule({ author, channel }, { ...(yield* later(given.ahead)), payload })
      messages.push({ id: message.id, authorId: author.id })
    }).pipe(answer)
}))

/** An author does something with a message of theirs. */
const withMessage = (
  given: { readonly name: string; readonly server: Happening["server"]; readonly number: number },
  inModel: (model: Model.Model, number: number) => Model.Stepped,
  inFact: (message: Scheduled) => Effect.Effect<unknown, { readonly _tag: string }, UseCases>
): Happening => {
  const which = ({ length }: ReadonlyArray<unknown>) => given.number % length
  return {
    name: given.name,
    server: given.server,
    isTold: ({ messages }) => messages.length > 0,
    inModel: (model) => inModel(model, which(model.messages)),
    inFact: ({ messages }) => answer(Effect.flatMap(Effect.fromNullable(messages[which(messages)]), inFact))
  }
}

const editing = FastCheck.record({ server, number: messageNumber, ahead: FastCheck.option(ahead, { nil: undefined }) })
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

const cancelling = FastCheck.record({ server, number: messageNumber }).map((given) =>
  withMessage(
    { ...given, name: `cancel(message ${given.number})` },
    Model.cancel,
    ({ authorId, id }) => Effect.flatMap(ScheduledMessages, (messages) => messages.cancel(authorId, id))
  )
)

/** Something happens to an account. */
const withAccount = (
  given: { readonly name: string; readonly server: Happening["server"]; readonly account: number },
  inModel: (model: Model.Model, number: number) => Model.Stepped,
  inFact: (userId: UserId) => Effect.Effect<unknown, { readonly _tag: string }, UseCases>
): Happening => ({
  name: given.name,
  server: given.server,
  isTold: always,
  inModel: (model) => inModel(model, given.account),
  inFact: ({ authors }) => answer(Effect.flatMap(Effect.fromNullable(authors[given.account]), ({ id }) => inFact(id)))
})

const schedulingDeletion = FastCheck.record({
  server,
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

const cancellingDeletion = FastCheck.record({ server, account: accountNumber }).map((given) =>
  withAccount({ ...given, name: `cancelDeletion(account ${given.account})` }, Model.cancelDeletion, cancelDeletion)
)

const movingMember = accountNumber.map((number): Happening => ({
  name: `join or leave(account ${number})`,
  server: "first",
  isTold: ({ accounts }) => accounts[number]?.isDeleted === false,
  inModel: (model) => ({ model: Model.moveMember(model, number), answer: "ok" }),
  inFact: ({ authors, channel: { guildId } }) =>
    Effect.gen(function*() {
      const { id } = yield* Effect.fromNullable(authors[number])
      const memberships = yield* MembershipRepository
      const found = yield* memberships.find(guildId, id)
      yield* Option.isSome(found) ? memberships.remove(guildId, id) : join(guildId, id)
    }).pipe(answer)
}))

const passing = (name: string, millis: (model: Model.Model) => number): Happening => ({
  name,
  server: "first",
  isTold: (model) => millis(model) > 0,
  inModel: (model) => ({ model: Model.advance(model, millis(model)), answer: "ok" }),
  inFact: (_, now) => Effect.as(Time.setTime(now), "ok")
})

const timePassing = FastCheck.oneof(
  FastCheck.constantFrom(1, 29_999, 30_000, MINUTE, 60 * MINUTE, DAY, 31 * DAY, 31 * DAY + 1),
  FastCheck.integer({ min: 1, max: 10 * MINUTE })
).map((millis) => passing(`advance(${millis} ms)`, () => millis))

const timeComing = FastCheck.record({
  next: FastCheck.constantFrom(
    { name: "next due message", at: Model.nextDueAt },
    { name: "next deletion", at: Model.nextDeletionAt }
  ),
  early: FastCheck.constantFrom(0, 0, 0, 1)
}).map(({ early, next }) =>
  passing(
    `advance(to ${next.name}${early === 0 ? "" : ", less a millisecond"})`,
    (model) => (next.at(model) ?? model.now) - early - model.now
  )
)

/** Each of the items in turn. */
const forAll = (
  model: Model.Model,
  work: ReadonlyArray<Model.Work>,
  handle: (model: Model.Model, number: number) => Model.Model
) => work.reduce((handled, { number }) => handle(handled, number), model)

const all = (count: number) => counted({ claimed: count, done: count, failed: 0 })

const worker = (
  name: string,
  inModel: Happening["inModel"],
  inFact: Effect.Effect<string, unknown, UseCases | StoragePorts>,
  isTold: Happening["isTold"] = always
) =>
  server.map((on): Happening => ({
    name: `${name} on ${on} server`,
    server: on,
    isTold,
    inModel,
    inFact: () => withoutChance(inFact)
  }))

const dispatching = worker("dispatch", (model) => {
  const due = Model.dueMessages(model)
  return { model: forAll(model, due, Model.deliver), answer: all(due.length) }
}, Effect.map(dispatch(ALL), counted))

const deleting = worker("delete", (model) => {
  const due = Model.dueAccounts(model)
  return { model: forAll(model, due, Model.deleteAccount), answer: all(due.length) }
}, Effect.map(deleteDue(ALL), counted))

const removing = worker("remove", (model) => {
  const after = Model.removeExpired(model)
  const removed = after.messages.filter((message, number) => message.removed !== model.messages[number]?.removed)
  return { model: after, answer: `${removed.length}` }
}, Effect.map(removeExpired(ALL), String))

const dispatchInVain = Effect.map(Faults.whileFailing("messages.insert")(dispatch(ALL)), counted)

const inVain = (model: Model.Model): Model.Stepped => {
  const due = Model.dueMessages(model)
  const failed = due.filter(({ number }) => Model.hasAccess(model, number)).length
  return {
    model: forAll(model, due, Model.failToPost),
    answer: counted({ claimed: due.length, done: due.length - failed, failed })
  }
}

const dispatchingInVain = worker("dispatch while posting fails", inVain, dispatchInVain)

/** Posting fails for as long as it takes to try that many times at the moments at which there is something due. */
const outage = FastCheck.record({ server, times: FastCheck.integer({ min: 2, max: 6 }) }).map((given): Happening => ({
  name: `dispatch ${given.times} times on ${given.server} server while posting fails, whenever something is due`,
  server: given.server,
  isTold: always,
  inModel: (model) => {
    let stepped: Model.Stepped = { model, answer: "" }
    for (let time = 0; time < given.times; time += 1) {
      const next = Model.nextDueAt(stepped.model) ?? stepped.model.now
      const vain = inVain(Model.advance(stepped.model, Math.max(0, next - stepped.model.now)))
      stepped = { model: vain.model, answer: `${stepped.answer}; ${vain.answer}` }
    }
    return stepped
  },
  inFact: () =>
    Effect.gen(function*() {
      const { nextDueAt } = yield* ScheduledMessageRepository
      const answers = yield* Effect.replicateEffect(
        Effect.gen(function*() {
          const now = yield* DateTime.now
          const next = Option.getOrElse(yield* nextDueAt, () => now)
          yield* Time.setTime(DateTime.toEpochMillis(DateTime.max(now, next)))
          return yield* withoutChance(dispatchInVain)
        }),
        given.times
      )
      return answers.map((each) => `; ${each}`).join("")
    })
}))

const deletingInVain = worker("delete while storage fails", (model) => {
  const due = Model.dueAccounts(model)
  return {
    model: forAll(model, due, Model.claimAccount),
    answer: counted({ claimed: due.length, done: 0, failed: due.length })
  }
}, Effect.map(Faults.whileFailing("users.save")(deleteDue(ALL)), counted))

/** Which of several that are due at the same moment comes first is not promised. */
const hasOneSoonest = ([first, second]: ReadonlyArray<Model.Work>): boolean => first?.at !== second?.at

/** A server handles one item, and comes to grief around the commit. */
const crash = (options: {
  readonly name: string
  readonly grief: Faults.Grief
  readonly step: "before commit" | "after commit"
  readonly due: (model: Model.Model) => ReadonlyArray<Model.Work>
  readonly leaves: (model: Model.Model, number: number) => Model.Model
  readonly work: Effect.Effect<unknown, unknown, UseCases | StoragePorts>
}) =>
  worker(
    `${options.name} one, which ${options.grief} ${options.step},`,
    (model) => {
      const [first] = options.due(model)
      return first === undefined
        ? { model, answer: "nothing to do" }
        : { model: options.leaves(model, first.number), answer: options.step }
    },
    Effect.map(
      Faults.stricken(options.grief, (step) => step === options.step)(options.work),
      ({ at }) => at ?? "nothing to do"
    ),
    (model) => options.due(model).length === 0 || hasOneSoonest(options.due(model))
  )

const dispatchingOne = { name: "dispatch", due: Model.dueMessages, work: dispatch(1) }
const deletingOne = { name: "delete", due: Model.dueAccounts, work: deleteDue(1) }

const crashing = FastCheck.oneof(
  crash({ ...dispatchingOne, grief: "is killed", step: "before commit", leaves: Model.claimMessage }),
  crash({ ...dispatchingOne, grief: "is killed", step: "after commit", leaves: Model.deliver }),
  crash({ ...dispatchingOne, grief: "dies", step: "before commit", leaves: Model.failAttempt }),
  crash({ ...dispatchingOne, grief: "dies", step: "after commit", leaves: Model.deliver }),
  crash({ ...deletingOne, grief: "is killed", step: "before commit", leaves: Model.claimAccount }),
  crash({ ...deletingOne, grief: "is killed", step: "after commit", leaves: Model.deleteAccount }),
  crash({ ...deletingOne, grief: "dies", step: "before commit", leaves: Model.claimAccount }),
  crash({ ...deletingOne, grief: "dies", step: "after commit", leaves: Model.deleteAccount })
)

/** Anything that may happen, the frequent as often as it is interesting. */
export const happening: FastCheck.Arbitrary<Happening> = FastCheck.oneof(
  { weight: 8, arbitrary: scheduling },
  { weight: 3, arbitrary: editing },
  { weight: 2, arbitrary: cancelling },
  { weight: 2, arbitrary: schedulingDeletion },
  { weight: 1, arbitrary: cancellingDeletion },
  { weight: 2, arbitrary: movingMember },
  { weight: 3, arbitrary: timePassing },
  { weight: 8, arbitrary: timeComing },
  { weight: 4, arbitrary: dispatching },
  { weight: 2, arbitrary: deleting },
  { weight: 1, arbitrary: removing },
  { weight: 2, arbitrary: dispatchingInVain },
  { weight: 2, arbitrary: outage },
  { weight: 1, arbitrary: deletingInVain },
  { weight: 4, arbitrary: crashing }
)
