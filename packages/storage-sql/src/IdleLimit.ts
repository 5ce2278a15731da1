import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { Effect, Equal, type Exit, type Fiber, FiberId, FiberRef, type FiberRefs, Runtime } from "effect"

/** A limit on idle time: when the last activity was, and what to do when the limit is exceeded. */
export interface Idle<E> {
  readonly limitMillis: number
  /** In milliseconds of `performance.now`. */
  readonly lastActive: () => number
  /** Ends the activity. The body fails with the returned exit. */
  readonly expire: () => Exit.Exit<never, E>
}

/** Calls `onIdle` when the limit is exceeded. Returns a function that stops the watch. */
const watch = ({ lastActive, limitMillis }: Idle<unknown>, onIdle: () => void): () => void => {
  const left = () => limitMillis - (performance.now() - lastActive())
  const check = () => {
    if (left() <= 0) onIdle()
    else timer = setTimeout(check, left())
  }
  let timer = setTimeout(check, left())
  return () => clearTimeout(timer)
}

/**
 * Returns whether the parent would inherit a value that it does not have. This check takes a tenth of the time of
 * `inheritAll`, which compares all services. Ignores runtime flags, which are not inherited and differ in an ended fiber.
 */
const hasNews = (child: FiberRefs.FiberRefs, parent: Fiber.RuntimeFiber<unknown, unknown>): boolean => {
  for (const [ref, [[, value]]] of child.locals) {
    const known: unknown = parent.getFiberRef(ref)
    if (value !== known && ref !== FiberRef.currentRuntimeFlags && !Equal.equals(value, known)) return true
  }
  return false
}

/**
 * Runs the body in its own fiber, inside an uninterruptible region, until it ends or is idle for too long. Interrupts an
 * idle body without waiting for it, so an interruption of the caller does not wait longer either. A body that does not
 * suspend needs no timer.
 */
export const run = <A, E, R, E2>(
  restore: Restore,
  body: Effect.Effect<A, E, R>,
  idle: Idle<E2>
): Effect.Effect<A, E | E2, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) => {
    const fiber = Runtime.runFork(runtime)(body)
    const ended = (exit: Exit.Exit<A, E>) =>
      Effect.withFiberRuntime<A, E>((parent) =>
        hasNews(fiber.getFiberRefs(), parent) ? Effect.zipRight(fiber.inheritAll, exit) : exit
      )
    const early = fiber.unsafePoll()
    if (early !== null) return ended(early)

    let answer: (outcome: Effect.Effect<A, E | E2>) => void = () => {}
    const stop = watch(idle, () => {
      const failure = idle.expire()
      fiber.unsafeInterruptAsFork(FiberId.none)
      answer(failure)
    })
    fiber.addObserver((exit) => {
      stop()
      answer(ended(exit))
    })
    const interrupt = Effect.async<void>((resume) => {
      if (fiber.unsafePoll() !== null) return resume(Effect.void)
      answer = () => resume(Effect.void)
      fiber.unsafeInterruptAsFork(FiberId.none)
    })
    return restore(Effect.async<A, E | E2>((resume) => {
      answer = resume
      return interrupt
    }))
  })
