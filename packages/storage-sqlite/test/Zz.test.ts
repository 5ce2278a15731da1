import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { temporaryStorage } from "./TemporaryDatabase.ts"
it.live("x", () => Effect.gen(function*() {
  for (let i = 0; i < 10; i++) {
    const t = performance.now()
    yield* Effect.scoped(Layer.build(temporaryStorage))
    console.log(performance.now() - t)
  }
}), 60000)
