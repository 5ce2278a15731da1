import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { inChunks } from "@community-messaging/storage-sql/InChunks"
import { expect, it } from "@effect/vitest"
import { Array as Arrays, Effect } from "effect"

it.effect("a lookup of many keys ends with its caller, before whatever step this one is interrupted", () =>
  Effect.forEach(Arrays.range(1, 150), (step) =>
    Effect.gen(function*() {
      const keys = Arrays.makeBy(250, String)
      const caller = yield* yieldingBefore(step, inChunks(keys, () => Effect.as(Effect.yieldNow(), [])))
      yield* letOthersRun
      interrupt(caller)
      yield* letOthersRun
      expect([step, caller.unsafePoll() === null]).toEqual([step, false])
    }), { discard: true }))
