import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Deferred, Effect, Fiber, Option } from "effect"
import * as Time from "./world/Time.ts"

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

/** For how many turns of the event loop a test waits for a fiber that the storage may keep waiting. */
const TURNS = 50

/** Waits until the fiber ends, but not for long: the storage may keep it waiting. */
export const letRun = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<void> =>
  Effect.asVoid(
    Effect.repeat(Effect.zipRight(Time.realTurn, Fiber.poll(fiber)), { until: Option.isSome, times: TURNS })
  )
