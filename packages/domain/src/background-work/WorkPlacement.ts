import { Context, Effect, type Scope } from "effect"
import type { BackgroundSteps } from "./BackgroundSteps.ts"

/**
 * Decides which processes on the storage run the endless work of a step: by default, all of them. The work may be
 * interrupted and run again, in this process or another. It may run in several processes at once, because claims prevent
 * double work. While no process runs it, due items are late.
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
