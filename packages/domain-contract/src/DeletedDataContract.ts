import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ALL_KINDS, foundOf, related, writeAll } from "./EveryPort.ts"
import { portContract, PORTS } from "./OwnPorts.ts"

const purge = Effect.flatMap(DeletedData, (deletedData) => deletedData.purge)

/** What `DeletedData` promises of every storage. A storage with files also tests that no deleted data is in them. */
export const deletedDataContract = portContract<DeletedData>("DeletedData", (storage, has) => {
  it.effect("a purge of nothing succeeds, as often as it is asked for", () =>
    Effect.gen(function*() {
      expect([yield* purge, yield* purge]).toEqual([true, true])
    }).pipe(Effect.provide(storage)))

  if (has(...PORTS)) {
    it.effect("a purge leaves everything that is stored", () =>
      Effect.gen(function*() {
        const all = related()
        yield* writeAll(all)
        expect(yield* purge).toBe(true)
        expect(yield* foundOf(all)).toEqual(ALL_KINDS)
      }).pipe(Effect.provide(storage)))
  }
})
