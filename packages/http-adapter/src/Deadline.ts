import type { StorageError } from "@community-messaging/domain/StorageError"
import { Context, Duration, Effect } from "effect"
import { describeError } from "./boundary/LoggedCause.ts"
import { ServiceUnavailable } from "./definition/ApiError.ts"

/** How long what stands behind an operation may take, infinity for ever. The reading of the body does not count. */
export class Deadline extends Context.Reference<Deadline>()("@community-messaging/http-adapter/Deadline", {
  defaultValue: () => Duration.seconds(10)
}) {}

const within = (deadline: Duration.Duration) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Duration.isFinite(deadline)
    ? effect.pipe(
      Effect.disconnect,
      Effect.timeoutFail({ duration: deadline, onTimeout: () => new ServiceUnavailable() })
    )
    : effect

/**
 * The effect with storage that is out of reach or too slow told as 503 (decisions, 2). What takes too long is interrupted,
 * which rolls its transaction back; the answer does not wait for that.
 */
export const available = <A, E, R>(effect: Effect.Effect<A, E | StorageError, R>, deadline: Duration.Duration) =>
  effect.pipe(
    within(deadline),
    Effect.catchTag("StorageError", (error) =>
      Effect.zipRight(
        Effect.annotateLogs(Effect.logWarning("Storage failed"), { cause: describeError(error) }),
        Effect.fail(new ServiceUnavailable())
      ))
  )
