import { fiberScheduler } from "@community-messaging/event-loop/FiberScheduler"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { AsyncLocalStorage } from "node:async_hooks"

const fork = <A>(effect: Effect.Effect<A>) => Effect.runFork(effect, { scheduler: fiberScheduler })

const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromise(Fiber.join(fork(effect)))

/** Returns whether the next turn of the event loop has begun. */
const nextTurn = (): () => boolean => {
  let hasBegun = false
  setImmediate(() => {
    hasBegun = true
  })
  return () => hasBegun
}

describe("the scheduler of fibers", () => {
  it("resumes a fiber in the same turn of the event loop", async () => {
    const hasBegun = nextTurn()
    const waited = Effect.async<boolean>((resume) => {
      queueMicrotask(() => resume(Effect.sync(hasBegun)))
    })
    expect(await run(waited)).toBe(false)
  })

  it("lets others have their turn while a fiber takes many steps", async () => {
    const hasBegun = nextTurn()
    let steps = 0
    await run(Effect.whileLoop({
      while: () => !hasBegun() && steps < 100_000,
      body: () => Effect.void,
      step: () => {
        steps += 1
      }
    }))
    expect(hasBegun()).toBe(true)
  })

  it("can interrupt a fiber with endless steps", async () => {
    const exit = await Effect.runPromise(Fiber.interrupt(fork(Effect.forever(Effect.void))))
    expect(Exit.isInterrupted(exit)).toBe(true)
  })

  it("keeps the asynchronous context of each fiber if several are resumed at the same time", async () => {
    const context = new AsyncLocalStorage<string>()
    const waited = Effect.async<string | undefined>((resume) => {
      setImmediate(() => resume(Effect.sync(() => context.getStore())))
    })
    const stores = ["one", "other"].map((name) => context.run(name, () => run(waited)))
    expect(await Promise.all(stores)).toEqual(["one", "other"])
  })
})
