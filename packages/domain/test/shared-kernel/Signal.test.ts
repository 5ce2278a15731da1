import { letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { Signal } from "@community-messaging/domain/shared-kernel/Signal"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Exit, Fiber, Option, Queue, Runtime, Scope } from "effect"

/** A signal, and what closes it. */
const closable = Effect.gen(function*() {
  const scope = yield* Scope.make()
  return { signal: yield* Scope.extend(Signal.make, scope), close: Scope.close(scope, Exit.void) }
})

describe("a signal", () => {
  it.scoped("reaches every subscriber", () =>
    Effect.gen(function*() {
      const signal = yield* Signal.make
      const [one, other] = yield* Effect.all([signal.subscribe, signal.subscribe])
      const waiting = yield* Effect.fork(Queue.take(one))
      yield* Effect.yieldNow()
      signal.send()
      yield* Fiber.join(waiting)
      yield* Queue.take(other)
    }))

  it.scoped("merges with the one that a subscriber has not taken yet", () =>
    Effect.gen(function*() {
      const signal = yield* Signal.make
      const subscriber = yield* signal.subscribe
      signal.send()
      signal.send()
      expect(yield* Queue.takeAll(subscriber)).toHaveLength(1)
      expect(yield* Queue.poll(subscriber)).toEqual(Option.none())
    }))

  it.scoped("has no subscriber any more when the scope of the subscription is closed", () =>
    Effect.gen(function*() {
      const signal = yield* Signal.make
      const subscriber = yield* Effect.scoped(signal.subscribe)
      signal.send()
      expect(yield* Queue.isShutdown(subscriber)).toBe(true)
    }))

  it.scoped("interrupts those that wait when it is closed, and those that subscribe later", () =>
    Effect.gen(function*() {
      const { close, signal } = yield* closable
      const subscriber = yield* signal.subscribe
      const waiting = yield* Effect.fork(Queue.take(subscriber))
      yield* Effect.yieldNow()
      yield* close
      expect(Exit.isInterrupted(yield* Fiber.await(waiting))).toBe(true)
      expect(Exit.isInterrupted(yield* Effect.exit(signal.subscribe))).toBe(true)
    }))

  it.scoped("interrupts one that waits after its subscription, before whatever step of it it was closed", () =>
    Effect.forEach(Arrays.range(1, 40), (step) =>
      Effect.gen(function*() {
        const { close, signal } = yield* closable
        const runSync = Runtime.runSync(yield* Effect.runtime())
        const subscribed = Effect.scoped(Effect.flatMap(signal.subscribe, Queue.take))
        const fiber = yield* yieldingBefore(step, subscribed, () => runSync(close))
        yield* letOthersRun
        expect([step, Option.map(yield* Fiber.poll(fiber), Exit.isInterrupted)]).toEqual([step, Option.some(true)])
      })))
})
