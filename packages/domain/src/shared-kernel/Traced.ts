import { Effect, FiberRef, type Tracer } from "effect"

/** Runs the effect in a span if tracing is on. Otherwise makes no span, which would cost more than many lookups. */
export const traced = (name: string, options?: Tracer.SpanOptions) =>
<A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? Effect.withSpan(effect, name, { captureStackTrace: false, ...options })
      : effect
  )
