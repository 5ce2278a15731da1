import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import {
  Deferred,
  Duration,
  Effect,
  Equal,
  type Exit,
  type Fiber,
  FiberId,
  FiberRef,
  type FiberRefs,
  Runtime
} from "effect"
import { SqlFailure, storageError } from "./SqlFailure.ts"

/** A limit on the time in which a unit of work sends no statement. */
export interface Idle {
  readonly limitMillis: number
  /** When it was last active, in milliseconds of `performance.now`. */
  readonly lastActive: () => number
  /** Called when the limit is exceeded: statements of the unit must fail with this from now on. */
  readonly expire: (failure: SqlFailure) => void
}

/** Calls `onIdle` when the limit is exceeded. Returns a function that stops the watch. */
const watch = ({ lastActive, limitMillis }: Idle, onIdle: () => void): () => void => {
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
const hasNewValues = (child: FiberRefs.FiberRefs, parent: Fiber.RuntimeFiber<unknown, unknown>): boolean => {
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
export const run = <A, E, R>(
  restore: Restore,
  body: Effect.Effect<A, E, R>,
  idle: Idle
): Effect.Effect<A, E | StorageError, R> =>
  Effect.flatMap(Effect.runtime<R>(), (runtime) => {
    const fiber = Runtime.runFork(runtime)(restore(body))
    const ended = (exit: Exit.Exit<A, E>) =>
      Effect.withFiberRuntime<A, E>((parent) =>
        hasNewValues(fiber.getFiberRefs(), parent) ? Effect.zipRight(fiber.inheritAll, exit) : exit
      )
    const early = fiber.unsafePoll()
    if (early !== null) return ended(early)

    const answer = Deferred.unsafeMake<A, E | StorageError>(FiberId.none)
    const stop = watch(idle, () => {
      const cause = new Error(`It sent no statement for ${Duration.format(idle.limitMillis)}.`)
      const failure = new SqlFailure({ cause })
      idle.expire(failure)
      fiber.unsafeInterruptAsFork(FiberId.none)
      Deferred.unsafeDone(answer, storageError("wait for a unit of work", failure))
    })
    fiber.addObserver((exit) => {
      stop()
      Deferred.unsafeDone(answer, ended(exit))
    })
    // Not only while it waits: the caller may yield before that, and be interrupted there. A body that continued then would send
    // its statements in the transaction of another unit.
    return Effect.onInterrupt(restore(Deferred.await(answer)), () => {
      fiber.unsafeInterruptAsFork(FiberId.none)
      return Effect.exit(Deferred.await(answer))
    })
  })
