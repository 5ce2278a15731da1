import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { ALL_KINDS, foundOf, related, writeAll } from "./EveryPort.ts"
import { needs, portContract, PORTS } from "./OwnPorts.ts"

const purge = Effect.flatMap(DeletedData, (deletedData) => deletedData.purge)

/** What `DeletedData` promises of every storage. A storage with files also tests that no deleted data is in them. */
export const deletedDataContract = portContract<DeletedData>((storage) =>
  describe("DeletedData", () => {
    it.effect("a purge of nothing succeeds, as often as it is asked for", () =>
      Effect.gen(function*() {
        expect([yield* purge, yield* purge]).toEqual([true, true])
      }).pipe(Effect.provide(storage)))

    it.effect("a purge leaves everything that is stored", (context) =>
      Effect.gen(function*() {
        yield* needs(context, ...PORTS)
        const all = related()
        yield* writeAll(all)
        expect(yield* purge).toBe(true)
        expect(yield* foundOf(all)).toEqual(ALL_KINDS)
      }).pipe(Effect.provide(storage)))
  })
)
