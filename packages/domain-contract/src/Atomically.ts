import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Deferred, Effect, Fiber } from "effect"

/** `UnitOfWork.atomically` of the storage under test. */
export const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.atomically(effect))

/** A unit of work that has run the effect, and comes to this end after `release`. */
export const paused = <E, R, E2 = never>(
  effect: Effect.Effect<unknown, E, R>,
  end: Effect.Effect<void, E2> = Effect.void
) =>
  Effect.gen(function*() {
    const reached = yield* Deferred.make<void>()
    const released = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(atomically(
      effect.pipe(
        Effect.zipRight(Deferred.succeed(reached, undefined)),
        Effect.zipRight(Deferred.await(released)),
        Effect.zipRight(end)
      )
    ))
    yield* Deferred.await(reached)
    return { fiber, release: Effect.zipRight(Deferred.succeed(released, undefined), Fiber.await(fiber)) }
  })
