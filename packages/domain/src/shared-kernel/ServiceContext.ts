import { Context, Effect } from "effect"

/**
 * Makes a service, and returns a context with it. Unlike a layer, it is not memoized, and takes a tenth of the time to build:
 * for services that are made together.
 */
export const make = <I, S, E, R>(tag: Context.Tag<I, S>, service: Effect.Effect<NoInfer<S>, E, R>) =>
  Effect.map(service, (made) => Context.make(tag, made))
