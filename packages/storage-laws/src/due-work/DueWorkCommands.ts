import type { UserId } from "@community-messaging/domain/account/User"
import type { DueWork } from "@community-messaging/domain/DueWork"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { ScheduledMessageId } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { DateTime, Effect, FastCheck, Random, TestClock } from "effect"
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
import type { UseCases } from "./World.ts"

/** The storage as commands work on it: who is there, and the messages that were scheduled so far, by their numbers. */
export interface Storage {
  readonly channel: Scene["channel"]
  readonly authors: ReadonlyArray<Scene["author"]>
  readonly messages: Array<ScheduledMessageId>
}

/** Something that happens, in the model and in fact. Both give the same answer and leave the same behind. */
export interface Happening {
  readonly name: string
  /** Which of two servers it happens on. */
  readonly server: "first" | "second"
  /** Where the model leaves open what would come of it, it is left out. */
  readonly isTold: (model: Model.Model) => boolean
  readonly inModel: (model: Model.Model) => Model.Stepped
  readonly inFact: (storage: Storage) => Effect.Effect<string, unknown, UseCases | StoragePorts>
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
      messages.push(message.id)
    }).pipe(answer)
}))

/** An author does something with a message of theirs. */
const withMessage = (
  given: { readonly name: string; readonly server: Happening["server"]; readonly number: number },
  inModel: (model: Model.Model, number: number) => Model.Stepped,
  inFact: (
    messages: typeof ScheduledMessages.Service,
    authorId: UserId,
    id: ScheduledMessageId
  ) => Effect.Effect<unknown, { readonly _tag: string }>
): Happening => {
  const which = ({ length }: ReadonlyArray<unknown>) => given.number % length
  return {
    name: given.name,
    server: given.server,
    isTold: ({ messages }) => messages.length > 0,
    inModel: (model) => inModel(model, which(model.messages)),
    inFact: ({ authors, messages }) =>
      Effect.gen(function*() {
        const id = yield* Effect.fromNullable(messages[which(messages)])
        const service = yield* ScheduledMessages
        // Whose it is was known when it was scheduled, and the storage may have removed it since.
        const attempts = yield* Effect.forEach(authors, (author) => answer(inFact(service, author.id, id)))
        return attempts.find((each) => each !== "UnknownScheduledMessage") ?? "UnknownScheduledMessage"
      })
  }
}
