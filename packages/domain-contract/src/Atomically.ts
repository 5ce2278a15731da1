import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect } from "effect"

/** `UnitOfWork.atomically` of the storage under test. */
export const atomically = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.atomically(effect))
