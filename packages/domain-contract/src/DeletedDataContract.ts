import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { ALL_KINDS, foundOf, related, writeAll } from "./EveryPort.ts"

const purge = Effect.flatMap(DeletedData, (deletedData) => deletedData.purge)

/** What `DeletedData` promises of every storage. A storage with files also tests that no deleted data is in them. */
export const deletedDataContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("DeletedData", () => {
    it.effect("a purge leaves everything that is stored", () =>
      Effect.gen(function*() {
        const all = related()
        yield* writeAll(all)
        expect(yield* purge).toBe(true)
        expect(yield* foundOf(all)).toEqual(ALL_KINDS)
      }).pipe(Effect.provide(storage)))
  })
