import { letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, FiberId } from "effect"

describe("FifoLock", () => {
  const places: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
    [1, ["1 in", "1 out", "2 in", "2 out", "3 in", "3 out", "4 in", "4 out"]],
    [2, ["1 in", "2 in", "1 out", "2 out", "3 in", "4 in", "3 out", "4 out"]]
  ]
  it.effect.each(places)(
    "is held by at most %i fibers at a time, in the order of their requests",
    ([count, visits]) =>
      Effect.gen(function*() {
        const lock = new FifoLock(count)
        const log: Array<string> = []
        const visit = (name: number) =>
          lock.inTurn(Effect.gen(function*() {
            log.push(`${name} in`)
            yield* Effect.yieldNow()
            log.push(`${name} out`)
          }))
        yield* Effect.forEach([1, 2, 3, 4], visit, { concurrency: "unbounded" })
        expect(log).toEqual(visits)
        expect(lock.isHeld).toBe(false)
      })
  )

  it.effect("is free when its last holder ends, also by a failure or an interruption", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      yield* Effect.forEach(
        [Effect.void, Effect.fail("no"), Effect.die("broken"), Effect.interrupt],
        (visit) => Effect.exit(lock.inTurn(visit)),
        { concurrency: "unbounded" }
      )
      expect(lock.isHeld).toBe(false)
    }))

  it.effect("is passed on by a fiber that is interrupted right after it was granted", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      const release = yield* Deferred.make<void>()
      const log: Array<string> = []
      let interrupt: () => void = () => undefined
      // The holder releases and grants the lock; the waiter is interrupted before it continues.
      yield* Effect.fork(Effect.zipRight(lock.inTurn(Deferred.await(release)), Effect.sync(() => interrupt())))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(lock.inTurn(Effect.sync(() => log.push("waiting"))))
      const next = yield* Effect.fork(lock.inTurn(Effect.sync(() => log.push("next"))))
      interrupt = () => waiting.unsafeInterruptAsFork(FiberId.none)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(next)
      expect([log, lock.isHeld]).toEqual([["next"], false])
    }))

  it.effect("stays with its holder when a waiter is interrupted", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      const release = yield* Deferred.make<void>()
      const log: Array<string> = []
      const holder = yield* Effect.fork(lock.inTurn(Deferred.await(release)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(lock.inTurn(Effect.void))
      const next = yield* Effect.fork(lock.inTurn(Effect.sync(() => log.push("next"))))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(waiting)
      yield* Effect.repeatN(Effect.yieldNow(), 5)
      expect([log, lock.isHeld]).toEqual([[], true])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(next)
      expect([log, lock.isHeld]).toEqual([["next"], false])
    }))

  it.effect("is free in the end, at whatever time fibers are interrupted", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      yield* Effect.forEach(Array.from({ length: 40 }, (_, moment) => moment), (moment) =>
        Effect.gen(function*() {
          const visit = Effect.fork(lock.inTurn(Effect.repeatN(Effect.yieldNow(), 3)))
          const fibers = yield* Effect.all([visit, visit, visit, visit])
          yield* Effect.repeatN(Effect.yieldNow(), moment)
          yield* Fiber.interruptAll(fibers.filter((_, index) => index % 2 === moment % 2))
          yield* Fiber.awaitAll(fibers)
        }), { discard: true })
      expect(lock.isHeld).toBe(false)
    }))
})

describe("a fiber that is interrupted before whatever step of its turn", () => {
  const turns: ReadonlyArray<readonly [string, (lock: FifoLock) => Effect.Effect<unknown>]> = [
    ["takes a free lock", () => Effect.void],
    ["waits for the lock", (lock) => Effect.fork(lock.inTurn(Effect.repeatN(Effect.yieldNow(), 3)))]
  ]
  it.effect.each(turns)(
    "and %s does not keep it",
    ([, before]) =>
      Effect.forEach(Array.from({ length: 100 }, (_, index) => index + 1), (step) =>
        Effect.gen(function*() {
          const lock = new FifoLock()
          yield* before(lock)
          yield* Effect.yieldNow()
          const turn = yield* yieldingBefore(step, lock.inTurn(Effect.yieldNow()))
          const next = yield* Effect.forkDaemon(lock.inTurn(Effect.void))
          yield* letOthersRun
          expect([step, turn.unsafePoll() === null, next.unsafePoll(), lock.isHeld]).toEqual([
            step,
            false,
            Exit.void,
            false
          ])
        }), { discard: true })
  )
})

describe("a fiber that is already interrupted when it would wait for the lock", () => {
  it.effect("does not remove another waiting fiber", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      const release = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(lock.inTurn(Deferred.await(release)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(lock.inTurn(Effect.succeed("had its turn")))
      yield* Effect.yieldNow()
      const late = yield* Effect.fork(Effect.uninterruptibleMask((restore) =>
        Effect.withFiberRuntime<void>((fiber) => {
          fiber.unsafeInterruptAsFork(FiberId.none)
          return Effect.zipRight(Effect.yieldNow(), lock.acquire(restore))
        })
      ))
      expect(Exit.isInterrupted(yield* Fiber.await(late))).toBe(true)
      expect(lock.isAwaited).toBe(true)
      yield* Deferred.succeed(release, undefined)
      expect(yield* Fiber.join(waiting)).toBe("had its turn")
      yield* Fiber.join(holder)
      expect([lock.isAwaited, lock.isHeld]).toEqual([false, false])
    }))
})
