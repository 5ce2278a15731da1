import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { ALL_KINDS, foundOf, related, writeAll } from "./EveryPort.ts"
import { portContract, PORTS } from "./OwnPorts.ts"

/** The contract of `StorageHealth` for every storage. A storage that may become unusable also tests that they fail. */
export const storageHealthContract = portContract<StorageHealth>("StorageHealth", ({ has, it }) => {
  it("an open storage can be read and written, and has the schema of the program", function*() {
    const health = yield* StorageHealth
    yield* health.read
    yield* health.write
    expect(yield* health.isMigrated).toBe(true)
  })

  if (has(...PORTS)) {
    it("checks leave no data and all succeed, also if many run at the same time", function*() {
      const health = yield* StorageHealth
      const all = related()
      const checks = Effect.replicateEffect(health.write, 5, { concurrency: "unbounded" })
      yield* Effect.all([writeAll(all), checks], { concurrency: "unbounded" })
      expect(yield* foundOf(all)).toEqual(ALL_KINDS)
      expect(yield* (yield* EventLog).read(0, 10)).toHaveLength(1)
    })
  }
})
