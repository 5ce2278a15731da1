import type { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { Effect, Option } from "effect"

/** Lets the other fibers run until they wait. */
export const letOthersRun = Effect.repeatN(Effect.yieldNow(), 20)

/** Waits for some turns of the event loop: groups begin and end in one turn. */
export const turnsOfEventLoop = Effect.repeatN(
  Effect.async<void>((resume) => {
    setImmediate(() => resume(Effect.void))
  }),
  5
)

/** Whether the account is stored. */
export const isKept = (user: { readonly id: UserId }) =>
  Effect.flatMap(UserRepository, ({ find }) => Effect.map(find(user.id), Option.isSome))
