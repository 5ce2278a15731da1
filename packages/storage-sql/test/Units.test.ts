import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Scheduler } from "effect"
import { noting } from "./NotingStorage.ts"

describe("a unit of work inside another one", () => {
  it.effect("has its own savepoint at any depth", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically } = noting()
      const inner = atomically(Effect.zipRight(ask("inner"), atomically(ask("innermost"))))
      yield* atomically(inner.pipe(Effect.zipRight(ask("outer")), Effect.zipRight(atomically(ask("next")))))
      expect(asked).toEqual([
        "SAVEPOINT savepoint_1",
        "inner",
        "SAVEPOINT savepoint_2",
        "innermost",
        "RELEASE SAVEPOINT savepoint_2",
        "RELEASE SAVEPOINT savepoint_1",
        "outer",
        "SAVEPOINT savepoint_1",
        "next",
        "RELEASE SAVEPOINT savepoint_1",
        "COMMIT"
      ])
    }))

  it.effect("does not begin if its savepoint cannot be set, and the outer one continues", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically } = noting("SAVEPOINT savepoint_1")
      const failure = yield* atomically(Effect.zipLeft(Effect.flip(atomically(ask("inner"))), ask("outer")))
      expect(failure.message).toBe("Storage failed: set a savepoint")
      expect(asked).toEqual(["SAVEPOINT savepoint_1", "outer", "COMMIT"])
    }))

  it.effect("rolls the outer one back if it cannot be rolled back itself", () =>
    Effect.gen(function*() {
      const { asked, atomically } = noting("ROLLBACK TO SAVEPOINT savepoint_1")
      const failure = yield* Effect.flip(atomically(Effect.flip(atomically(Effect.fail("no")))))
      expect(failure).toMatchObject({
        message: "Storage failed: commit a transaction",
        cause: "ROLLBACK TO SAVEPOINT savepoint_1"
      })
      expect(asked).toEqual(["SAVEPOINT savepoint_1", "ROLLBACK TO SAVEPOINT savepoint_1", "ROLLBACK"])
    }))

  it.effect("fails if its savepoint cannot be released, and rolls the outer one back", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically } = noting("RELEASE SAVEPOINT savepoint_1")
      const told: Array<string> = []
      const inner = Effect.tapError(atomically(ask("inner")), ({ message }) => Effect.sync(() => told.push(message)))
      yield* Effect.flip(atomically(Effect.ignore(inner)))
      expect(told).toEqual(["Storage failed: release a savepoint"])
      expect(asked).toEqual([
        "SAVEPOINT savepoint_1",
        "inner",
        "RELEASE SAVEPOINT savepoint_1",
        "ROLLBACK TO SAVEPOINT savepoint_1",
        "RELEASE SAVEPOINT savepoint_1",
        "ROLLBACK"
      ])
    }))
})

/** How often fibers continue, at most: some would otherwise never wait. */
const STEPS = 200

/** Runs effects side by side, while a test lets them. */
const sideBySide = () => {
  const tasks: Array<() => void> = []
  const scheduler = Scheduler.make((task) => tasks.push(task))
  const letRun = Effect.sync(() => {
    for (let step = 0; step < STEPS; step += 1) tasks.shift()?.()
  })
  return {
    begin: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        Effect.withScheduler(scheduler),
        Effect.forkDaemon,
        Effect.zipRight(Effect.yieldNow()),
        Effect.zipRight(letRun)
      ),
    signal: (deferred: Deferred.Deferred<void>) => Effect.zipRight(Deferred.succeed(deferred, undefined), letRun)
  }
}

describe("what waits for a unit of work inside another one", () => {
  it.effect("continues when that one ends, also if there are several", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically } = noting()
      const { begin, signal } = sideBySide()
      const ended = yield* Deferred.make<void>()
      const inner = [atomically(Deferred.await(ended)), ask("first"), ask("second")]
      yield* begin(atomically(Effect.all(inner, { concurrency: "unbounded" })))
      yield* signal(ended)
      expect(asked).toEqual(["SAVEPOINT savepoint_1", "RELEASE SAVEPOINT savepoint_1", "first", "second", "COMMIT"])
    }))

  const late: ReadonlyArray<
    readonly [
      what: string,
      run: (units: ReturnType<typeof noting>) => Effect.Effect<unknown, unknown>,
      asked: Array<string>
    ]
  > = [
    ["a statement", ({ ask }) => ask("late"), ["outside: late"]],
    ["another unit", ({ ask, atomically }) => atomically(ask("late")), ["late", "COMMIT"]]
  ]

  it.effect.each(late)(
    "runs outside the outer one if that one ends first: %s",
    ([, run, outside]) =>
      Effect.gen(function*() {
        const units = noting()
        const { begin, signal } = sideBySide()
        const [called, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const inner = [units.atomically(Deferred.await(ended)), Effect.zipRight(Deferred.await(called), run(units))]
        yield* begin(units.atomically(Effect.zipRight(Effect.forEach(inner, Effect.forkDaemon), Effect.yieldNow())))
        // The outer one now waits for the inner one.
        yield* signal(called)
        yield* signal(ended)
        expect(units.asked).toEqual(["SAVEPOINT savepoint_1", "RELEASE SAVEPOINT savepoint_1", "COMMIT", ...outside])
      })
  )
})

describe("a statement that may fail", () => {
  it.effect("has a savepoint, whose end does not wait", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically, recoverable, sent } = noting()
      yield* atomically(Effect.zipRight(recoverable(ask("tried")), ask("next")))
      expect(asked).toEqual(["SAVEPOINT savepoint_1", "tried", "RELEASE SAVEPOINT savepoint_1", "next", "COMMIT"])
      expect(sent).toEqual(["SAVEPOINT savepoint_1", "RELEASE SAVEPOINT savepoint_1"])
    }))

  it.effect("is rolled back if it fails, and the unit of work continues", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically, recoverable } = noting("tried")
      yield* atomically(Effect.zipRight(Effect.flip(recoverable(ask("tried"))), ask("next")))
      expect(asked).toEqual([
        "SAVEPOINT savepoint_1",
        "tried",
        "ROLLBACK TO SAVEPOINT savepoint_1",
        "RELEASE SAVEPOINT savepoint_1",
        "next",
        "COMMIT"
      ])
    }))
})

describe("subscribers of events", () => {
  it.effect("are notified by a unit of work that has events, or by a nested one", () =>
    Effect.gen(function*() {
      const { asked, atomically, notify } = noting()
      yield* notify
      yield* atomically(notify)
      expect(asked).toEqual(["wake", "COMMIT", "wake"])
      yield* atomically(atomically(notify))
      expect(asked.slice(-2)).toEqual(["COMMIT", "wake"])
    }))

  it.effect("are not notified by a unit that has none, nor for a nested one that failed", () =>
    Effect.gen(function*() {
      const { asked, atomically, notify } = noting()
      yield* atomically(Effect.void)
      yield* atomically(Effect.flip(atomically(Effect.zipRight(notify, Effect.fail("no")))))
      expect(asked).not.toContain("wake")
    }))
})

describe("a statement whose result is not read", () => {
  it.effect("runs in the running unit of work, or alone outside a unit", () =>
    Effect.gen(function*() {
      const { asked, atomically, send } = noting()
      yield* atomically(send`inside`)
      yield* send`alone`
      expect(asked).toEqual(["inside", "COMMIT", "outside: alone"])
    }))

  it.effect("does not run in a unit of work that its fiber has outlived", () =>
    Effect.gen(function*() {
      const { ask, asked, atomically, isInside, send, write } = noting()
      const late = Effect.all([isInside, send`sent`, ask("asked"), write(ask("written"))])
      const left = yield* atomically(Effect.map(Effect.runtime(), (runtime) => Effect.provide(late, runtime)))
      expect((yield* left)[0]).toBe(false)
      expect(asked).toEqual(["COMMIT", "outside: sent", "outside: asked", "written", "COMMIT"])
    }))
})
