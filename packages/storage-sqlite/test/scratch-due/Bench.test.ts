import { dispatch, scene, schedule } from "@community-messaging/storage-laws/due-work/Scene"
import { everything } from "@community-messaging/storage-laws/due-work/WholeState"
import { world } from "@community-messaging/storage-laws/due-work/World"
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryStorage } from "../TemporaryDatabase.ts"
const w = world(temporaryStorage)
const time = (name: string, n: number, f: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function*() {
    yield* Effect.promise(async () => {
      for (let i = 0; i < 20; i++) await Effect.runPromise(f)
    })
    const c0 = process.cpuUsage()
    const t = performance.now()
    yield* Effect.promise(async () => {
      for (let i = 0; i < n; i++) await Effect.runPromise(f)
    })
    const c = process.cpuUsage(c0)
    console.log(
      name,
      ((performance.now() - t) / n).toFixed(2),
      "ms wall",
      ((c.user + c.system) / 1000 / n).toFixed(2),
      "ms cpu"
    )
  })
it.live("bench", () =>
  Effect.gen(function*() {
    yield* time("world", 200, Effect.void.pipe(Effect.provide(w)))
    yield* time("scene", 200, scene().pipe(Effect.provide(w)))
    yield* time("schedule", 200, Effect.flatMap(scene(), (s) => schedule(s)).pipe(Effect.provide(w)))
    yield* time("everything", 200, Effect.flatMap(scene(), () => everything).pipe(Effect.provide(w)))
  }), 100000)
