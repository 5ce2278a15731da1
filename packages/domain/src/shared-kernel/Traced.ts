import { Effect, FiberRef, type Tracer } from "effect"

/** Runs the effect in a span of that name where somebody traces: a span that nobody reads costs more than many a look-up. */
export const traced = (name: string, options?: Tracer.SpanOptions) =>
<A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? Effect.withSpan(effect, name, { captureStackTrace: false, ...options })
      : effect
  )
