import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { BatchResult } from "@community-messaging/domain/shared-kernel/BatchResult"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { DateTime, Effect, FastCheck, Option, Random } from "effect"
import * as Faults from "../world/Faults.ts"
import { deleteDue, dispatch, removeExpired } from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import type { UseCases } from "../world/World.ts"
import { always, anyServer, type Command } from "./Command.ts"
import * as Model from "./DueWorkModel.ts"

/* Commands of servers, and of the clock. */

const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** More than the number of items in these runs. */
const ALL = 1000

/** Random numbers are always the same, so that attempts follow after exactly 1, 2, 4 and 8 seconds. */
const withoutChance = Effect.withRandom(Random.fixed([0.5]))

const counted = ({ claimed, done, failed }: BatchResult): string => `claimed ${claimed}, done ${done}, failed ${failed}`

const passing = (name: string, millis: (model: Model.Model) => number): Command => ({
  name,
  server: "first",
  precondition: (model) => millis(model) > 0,
  inModel: (model) => ({ model: Model.advance(model, millis(model)), answer: "ok" }),
  inReal: (_, now) => Effect.as(Time.setTime(now), "ok")
})

/** Some time passes. */
export const timePassing = FastCheck.oneof(
  FastCheck.constantFrom(1, 29_999, 30_000, MINUTE, 60 * MINUTE, DAY, 31 * DAY, 31 * DAY + 1),
  FastCheck.integer({ min: 1, max: 10 * MINUTE })
).map((millis) => passing(`advance(${millis} ms)`, () => millis))

/** Time passes until an item is due, or nearly due. */
export const timeComing = FastCheck.record({
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
  inModel: Command["inModel"],
  inReal: Effect.Effect<string, unknown, UseCases | StoragePorts>,
  options: {
    readonly servers?: FastCheck.Arbitrary<Command["server"]>
    readonly precondition?: Command["precondition"]
  } = {}
) =>
  (options.servers ?? anyServer).map((server): Command => ({
    name: `${name} on ${server}`,
    server,
    precondition: options.precondition ?? always,
    inModel,
    inReal: () => withoutChance(inReal)
  }))

const anyServerOrBoth = FastCheck.constantFrom<Command["server"]>("first", "second", "both")

/** Servers post due messages. */
export const dispatching = worker(
  "dispatch",
  (model) => {
    const due = Model.dueMessages(model)
    return { model: forAll(model, due, Model.deliver), answer: all(due.length) }
  },
  Effect.map(dispatch(ALL), counted),
  { servers: anyServerOrBoth }
)

/** Servers delete due accounts. */
export const deleting = worker(
  "delete",
  (model) => {
    const due = Model.dueAccounts(model)
    return { model: forAll(model, due, Model.deleteAccount), answer: all(due.length) }
  },
  Effect.map(deleteDue(ALL), counted),
  { servers: anyServerOrBoth }
)

/** A server removes messages that ended long ago. */
export const removing = worker("remove", (model) => {
  const after = Model.removeExpired(model)
  const removed = after.messages.filter((message, number) => message.removed !== model.messages[number]?.removed)
  return { model: after, answer: `${removed.length}` }
}, Effect.map(removeExpired(ALL), String))

const dispatchInVain = Effect.map(Faults.whileFailing("messages.insert")(dispatch(ALL)), counted)

const inVain = (model: Model.Model): Model.Outcome => {
  const due = Model.dueMessages(model)
  const failed = due.filter(({ number }) => Model.hasAccess(model, number)).length
  return {
    model: forAll(model, due, Model.failToPost),
    answer: counted({ claimed: due.length, done: due.length - failed, failed })
  }
}

/** A server cannot post due messages. */
export const dispatchingInVain = worker("dispatch while posting fails", inVain, dispatchInVain)

/** Posting fails at every attempt. */
export const outage = FastCheck.record({ server: anyServer, times: FastCheck.integer({ min: 2, max: 6 }) }).map((
  given
): Command => ({
  name: `dispatch ${given.times} times on ${given.server} server while posting fails, whenever something is due`,
  server: given.server,
  precondition: always,
  inModel: (model) => {
    let stepped: Model.Outcome = { model, answer: "" }
    for (let time = 0; time < given.times; time += 1) {
      const next = Model.nextDueAt(stepped.model) ?? stepped.model.now
      const vain = inVain(Model.advance(stepped.model, Math.max(0, next - stepped.model.now)))
      stepped = { model: vain.model, answer: `${stepped.answer}; ${vain.answer}` }
    }
    return stepped
  },
  inReal: () =>
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

/** A server cannot delete due accounts. */
export const deletingInVain = worker("delete while storage fails", (model) => {
  const due = Model.dueAccounts(model)
  return {
    model: forAll(model, due, Model.claimAccount),
    answer: counted({ claimed: due.length, done: 0, failed: due.length })
  }
}, Effect.map(Faults.whileFailing("users.save")(deleteDue(ALL)), counted))

/** The order of items that are due at the same time is not specified. */
const hasOneSoonest = ([first, second]: ReadonlyArray<Model.Work>): boolean => first?.at !== second?.at

/** A server handles one item, with a fault around the commit. */
const crash = (options: {
  readonly name: string
  readonly fault: Faults.Fault
  readonly step: "before commit" | "after commit"
  readonly due: (model: Model.Model) => ReadonlyArray<Model.Work>
  readonly leaves: (model: Model.Model, number: number) => Model.Model
  readonly work: Effect.Effect<unknown, unknown, UseCases | StoragePorts>
}) =>
  worker(
    `${options.name} one, which ${options.fault} ${options.step},`,
    (model) => {
      const [first] = options.due(model)
      return first === undefined
        ? { model, answer: "nothing to do" }
        : { model: options.leaves(model, first.number), answer: options.step }
    },
    Effect.map(
      Faults.injectFault(options.fault, (step) => step === options.step)(options.work),
      ({ at }) => at ?? "nothing to do"
    ),
    { precondition: (model) => options.due(model).length === 0 || hasOneSoonest(options.due(model)) }
  )

const dispatchingOne = { name: "dispatch", due: Model.dueMessages, work: dispatch(1) }
const deletingOne = { name: "delete", due: Model.dueAccounts, work: deleteDue(1) }

/** A server fails at one item. */
export const crashing = FastCheck.oneof(
  crash({ ...dispatchingOne, fault: "is killed", step: "before commit", leaves: Model.claimMessage }),
  crash({ ...dispatchingOne, fault: "is killed", step: "after commit", leaves: Model.deliver }),
  crash({ ...dispatchingOne, fault: "dies", step: "before commit", leaves: Model.failAttempt }),
  crash({ ...dispatchingOne, fault: "dies", step: "after commit", leaves: Model.deliver }),
  crash({ ...deletingOne, fault: "is killed", step: "before commit", leaves: Model.claimAccount }),
  crash({ ...deletingOne, fault: "is killed", step: "after commit", leaves: Model.deleteAccount }),
  crash({ ...deletingOne, fault: "dies", step: "before commit", leaves: Model.claimAccount }),
  crash({ ...deletingOne, fault: "dies", step: "after commit", leaves: Model.deleteAccount })
)
