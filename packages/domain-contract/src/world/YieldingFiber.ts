import { Effect, type Fiber, FiberId, Scheduler } from "effect"

/** Interrupts a fiber, and does not wait. */
export const interrupt = (fiber: Fiber.RuntimeFiber<unknown, unknown>): void =>
  fiber.unsafeInterruptAsFork(FiberId.none)

/**
 * Runs the effect in a fiber. Before this step of it, counted with the steps of the fibers that it forks, the running one of
 * them yields, and `onYield` gets the first one. A fiber may yield before any step, at the latest after 2048 of them. The fiber
 * of the test does not wait for the end of this one.
 */
export const yieldingBefore = <A, E, R>(
  step: number,
  effect: Effect.Effect<A, E, R>,
  onYield: (fiber: Fiber.RuntimeFiber<A, E>) => void = interrupt
): Effect.Effect<Fiber.RuntimeFiber<A, E>, never, R> =>
  Effect.gen(function*() {
    const state: { steps: number; fiber?: Fiber.RuntimeFiber<A, E> } = { steps: 0 }
    const underlying = Scheduler.defaultScheduler
    const scheduler = Scheduler.make((...task) => underlying.scheduleTask(...task), () => {
      if (state.fiber === undefined) return false
      state.steps += 1
      if (state.steps !== step) return false
      onYield(state.fiber)
      return 0
    })
    state.fiber = yield* Effect.withScheduler(Effect.forkDaemon(effect), scheduler)
    return state.fiber
  })

/** Lets the other fibers run until they wait. */
export const letOthersRun: Effect.Effect<void> = Effect.repeatN(Effect.yieldNow(), 20)
