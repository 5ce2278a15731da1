import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { ImageInspectorBusy } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Fiber } from "effect"

/** Decodes one image at a time, in order of arrival. */
export interface DecoderQueue {
  /**
   * Runs the work after all earlier work has ended. If the caller is interrupted, waiting work is removed. Running work
   * cannot be stopped, so the next work waits for its end. Fails if too much work is waiting.
   */
  readonly run: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E | ImageInspectorBusy>
}

/** Makes a queue in which at most `capacity` pieces of work run or wait. */
export const make = (capacity: number): DecoderQueue => {
  // Not Effect's semaphore: a caller that is interrupted right after it took a turn, when its fiber yields, would keep it.
  const turn = new FifoLock()
  let admitted = 0
  const leave = Effect.sync(() => {
    admitted -= 1
  })
  const end = Effect.sync(() => turn.release())
  return {
    run: (work) =>
      Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
        if (admitted >= capacity) return yield* new ImageInspectorBusy()
        admitted += 1
        yield* Effect.onInterrupt(turn.acquire(restore), () => leave)
        // The work keeps its turn when the caller is interrupted, so it runs in a separate fiber.
        const running = yield* Effect.forkDaemon(Effect.ensuring(work, Effect.zipRight(end, leave)))
        return yield* restore(Fiber.join(running))
      }))
  }
}
