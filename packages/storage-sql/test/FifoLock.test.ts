import { fifoLockContract } from "@community-messaging/domain-contract/FifoLockContract"
import { FifoLock } from "@community-messaging/storage-sql/FifoLock"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, FiberId } from "effect"

fifoLockContract(() => {
  const lock = new FifoLock()
  return { exclusively: (effect) => lock.exclusively(effect), isHeld: () => lock.isHeld }
})

describe("a fiber that is already interrupted when it would wait for the lock", () => {
  it.effect("does not remove another waiting fiber", () =>
    Effect.gen(function*() {
      const lock = new FifoLock()
      const release = yield* Deferred.make<void>()
      const holder = yield* Effect.fork(lock.exclusively(Deferred.await(release)))
      yield* Effect.yieldNow()
      const waiting = yield* Effect.fork(lock.exclusively(Effect.succeed("had its turn")))
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
