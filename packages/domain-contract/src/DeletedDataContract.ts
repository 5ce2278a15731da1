import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { ALL_KINDS, foundOf, related, writeAll } from "./EveryPort.ts"
import { portContract, PORTS } from "./OwnPorts.ts"

const purge = Effect.flatMap(DeletedData, (deletedData) => deletedData.purge)

/** The contract of `DeletedData` for every storage. A storage with files also tests that they have no deleted data. */
export const deletedDataContract = portContract<DeletedData>("DeletedData", ({ has, it }) => {
  it("a purge without deleted data succeeds, also when it is repeated", function*() {
    expect([yield* purge, yield* purge]).toEqual([true, true])
  })

  if (has(...PORTS)) {
    it("a purge keeps all stored data", function*() {
      const all = related()
      yield* writeAll(all)
      expect(yield* purge).toBe(true)
      expect(yield* foundOf(all)).toEqual(ALL_KINDS)
    })
  }
})
