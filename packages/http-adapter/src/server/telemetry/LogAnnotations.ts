import { type Effect, FiberRef, HashMap } from "effect"

/** Adds annotations to all later log lines of the request. A request has its own fiber, so they need no reset. */
export const annotate = (annotations: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  FiberRef.update(FiberRef.currentLogAnnotations, (known) => {
    let all = known
    for (const name of Object.keys(annotations)) all = HashMap.set(all, name, annotations[name])
    return all
  })
