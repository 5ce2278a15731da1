import type { StorageError } from "@community-messaging/domain/StorageError"
import { Context, Duration, Effect, Fiber, Runtime } from "effect"
import { describeError } from "./boundary/LoggedCause.ts"
import { ServiceUnavailable } from "./definition/ApiError.ts"

/** How long what stands behind an operation may take, infinity for ever. The reading of the body does not count. */
export class Deadline extends Context.Reference<Deadline>()("@community-messaging/http-adapter/Deadline", {
  defaultValue: () => Duration.seconds(10)
}) {}

/**
 * The effect in a fiber of its own, so that one that can not be stopped need not be waited for. A storage in this process is
 * done before the fiber is back: then there is nothing to race, and no timer is set.
 */
const within = (deadline: Duration.Duration) => <A, E>(effect: Effect.Effect<A, E>) =>
  Duration.isFinite(deadline)
    ? Effect.withFiberRuntime<A, E | ServiceUnavailable>((fiber, { runtimeFlags }) => {
      const runtime = Runtime.make({ context: fiber.currentContext, fiberRefs: fiber.getFiberRefs(), runtimeFlags })
      const working = Runtime.runFork(runtime)(effect)
      return working.unsafePoll() ?? Fiber.join(working).pipe(
        Effect.timeoutFail({ duration: deadline, onTimeout: () => new ServiceUnavailable() }),
        Effect.ensuring(Effect.sync(() => working.unsafeInterruptAsFork(fiber.id())))
      )
    })
    : effect

/**
 * The effect with storage that is out of reach or too slow told as 503 (decisions, 2). What takes too long is interrupted,
 * which rolls its transaction back; the answer does not wait for that.
 */
export const available = <A, E>(effect: Effect.Effect<A, E | StorageError>, deadline: Duration.Duration) =>
  effect.pipe(
    within(deadline),
    Effect.catchTag("StorageError", (error) =>
      Effect.zipRight(
        Effect.annotateLogs(Effect.logWarning("Storage failed"), { cause: describeError(error) }),
        Effect.fail(new ServiceUnavailable())
      ))
  )
