import { Effect, HashMap, Logger } from "effect"

/** Returns the lines that the effect logs, each with its message and its annotations. */
export const linesOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ annotations, message }) => {
      lines.push([message, Object.fromEntries(HashMap.entries(annotations))])
    })
    return Effect.as(Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)), lines)
  })
