import { Context, Effect, type Scope } from "effect"
import type { BackgroundSteps } from "./BackgroundSteps.ts"

/**
 * Decides where the endless work of a step runs, of all processes on the storage: in each of them by default. The work may be
 * interrupted and run again, here or elsewhere. Nothing is wrong if it runs in several places, because claims guard it; if it
 * runs nowhere for a while, it is late.
 */
export class WorkPlacement extends Context.Reference<WorkPlacement>()(
  "@community-messaging/domain/WorkPlacement",
  {
    defaultValue: () =>
    (
      _step: keyof BackgroundSteps,
      work: Effect.Effect<never>
    ): Effect.Effect<void, never, Scope.Scope> => Effect.asVoid(Effect.forkScoped(work))
  }
) {}
