import * as FifoLock from "@community-messaging/storage-memory/FifoLock"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, FiberId } from "effect"

describe("FifoLock", () => {
  it.effect("fibers come in one at a time, in the order in which they came", () =>
    Effect.gen(function*() {
      const lock = FifoLock.make()
      const log: Array<string> = []
      const visit = (name: number) =>
        lock.alone(Effect.gen(function*() {
          log.push(`${name} in`)
          yield* Effect.yieldNow()
          log.push(`${name} out`)
        }))
      yield* Effect.forEach([1, 2, 3], visit, { concurrency: "unbounded" })
      expect(log).toEqual(["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"])
    }))

  it.effect("it is free when the last one is out, however it ended", () =>
    Effect.gen(function*() {
      const lock = FifoLock.make()
      yield* Effect.forEach([Effect.void, Effect.fail("no"), Effect.die("broken"), Effect.interrupt], (visit) =>
        Effect.exit(lock.alone(visit)), { concurrency: "unbounded" })
      expect(lock.isFree()).toBe(true)
    }))

  it.effect("one that is interrupted when it has just been let in lets in the next", () =>
    Effect.gen(function*() {
      const lock = FifoLock.make()
      const release = yield* Deferred.make<void>()
      const log: Array<string> = []
      let interrupt: () => void = () => undefined
      // It goes out and hands over, and before the one that is let in can go on, that one is interrupted.
      yield* Effect.fork(Effect.zipRight(lock.alone(Deferred.await(release)), Effect.sync(() => interrupt())))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(lock.alone(Effect.sync(() => log.push("waiting"))))
      const next = yield* Effect.fork(lock.alone(Effect.sync(() => log.push("next"))))
      interrupt = () => waiting.unsafeInterruptAsFork(FiberId.none)
      yield* Effect.yieldNow()
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(next)
      expect([log, lock.isFree()]).toEqual([["next"], true])
    }))

  it.effect("interruptions at any moment leave it free in the end", () =>
    Effect.gen(function*() {
      const lock = FifoLock.make()
      yield* Effect.forEach(Array.from({ length: 40 }, (_, moment) => moment), (moment) =>
        Effect.gen(function*() {
          const visit = Effect.fork(lock.alone(Effect.repeatN(Effect.yieldNow(), 3)))
          const fibers = yield* Effect.all([visit, visit, visit, visit])
          yield* Effect.repeatN(Effect.yieldNow(), moment)
          yield* Fiber.interruptAll(fibers.filter((_, index) => index % 2 === moment % 2))
          yield* Fiber.awaitAll(fibers)
        }), { discard: true })
      expect(lock.isFree()).toBe(true)
    }))
})
