import { Context, Effect, Layer } from "effect"

/**
 * Declares a service that is made over ports: `makeContext` makes it and returns a context with it, and `layer` provides it
 * alone. `UseCases.layer` makes all of them together, because a layer for each takes longer: Effect builds it in a fiber and
 * a scope of its own.
 */
export const UseCase =
  <Self, Service>() => <const Id extends string, E, R>(id: Id, make: Effect.Effect<NoInfer<Service>, E, R>) => {
    const tag = Context.Tag(id)<Self, Service>()
    const makeContext = Effect.map(make, (service) => Context.make(tag, service))
    return Object.assign(tag, { makeContext, layer: Layer.effectContext(makeContext) })
  }
