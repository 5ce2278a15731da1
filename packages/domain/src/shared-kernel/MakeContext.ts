import { Context, Effect } from "effect"

/**
 * Makes a service, and returns a context with it. For services that are made together, because a layer for each takes longer:
 * Effect builds it in a fiber and a scope of its own.
 */
export const makeContext = <I, S, E, R>(tag: Context.Tag<I, S>, make: Effect.Effect<NoInfer<S>, E, R>) =>
  Effect.map(make, (service) => Context.make(tag, service))
