import * as Samples from "@community-messaging/domain-contract/Samples"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Fiber, Option, Scheduler } from "effect"
import { atomically, type Body, find, save, withStorage } from "./SharedTransactions.ts"

/** After how many steps the fiber under test yields. With fewer, it may never continue. */
const STEPS = Arrays.range(30, 39)

/** How many units begin beside it. Without an end, it would wait for the next one again and again. */
const MAX_UNITS = 10

const afterTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Runs the body in a fiber that yields after that many steps. Another unit begins and fails whenever it continues. */
const besideFailingUnits = (body: Body, steps: number) =>
  Effect.gen(function*() {
    const held: Array<() => void> = []
    const scheduler = Scheduler.make((task) => held.push(task))
    const fiber = yield* body.pipe(
      Effect.withMaxOpsBeforeYield(steps),
      Effect.withScheduler(scheduler),
      Effect.fork
    )
    let begun = 0
    while (fiber.unsafePoll() === null) {
      yield* afterTurn
      const task = held.shift()
      if (task === undefined) continue
      const ended = yield* Deferred.make<void>()
      if (begun < MAX_UNITS) {
        begun += 1
        yield* Effect.fork(Effect.ignore(atomically(Effect.zipRight(Deferred.await(ended), Effect.fail("no")))))
        yield* Effect.repeatN(Effect.yieldNow(), 20)
      }
      task()
      yield* Deferred.succeed(ended, undefined)
    }
    return yield* Fiber.join(fiber)
  })

describe("a unit of work inside another one", () => {
  it.scoped("rolls back no statement that another fiber of the outer unit sends beside it", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const lost = yield* Effect.filter(STEPS, (steps) => {
          const guild = Samples.guild()
          return atomically(besideFailingUnits(save(guild), steps)).pipe(
            Effect.zipRight(find(guild)),
            Effect.map(Option.isNone)
          )
        })
        expect(lost).toEqual([])
      })))
})
