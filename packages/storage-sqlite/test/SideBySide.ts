import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Deferred, Effect, Option } from "effect"

/** Lets the other fibers run until they wait. */
export const letOthersRun = Effect.repeatN(Effect.yieldNow(), 20)

/** Waits for some turns of the event loop: groups begin and end in one turn. */
export const turnsOfEventLoop = Effect.repeatN(
  Effect.async<void>((resume) => {
    setImmediate(() => resume(Effect.void))
  }),
  5
)

/** A transaction that has run the effect, and continues when the test releases it. */
export const paused = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    const reached = yield* Deferred.make<void>()
    const goOn = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(atomically(
      effect.pipe(Effect.zipLeft(Deferred.succeed(reached, undefined)), Effect.zipLeft(Deferred.await(goOn)))
    ))
    yield* Deferred.await(reached)
    return { fiber, goOn: Deferred.succeed(goOn, undefined) }
  })

/** Whether the account is stored. */
export const isKept = (user: { readonly id: UserId }) =>
  Effect.flatMap(UserRepository, ({ find }) => Effect.map(find(user.id), Option.isSome))
