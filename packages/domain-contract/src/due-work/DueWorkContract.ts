import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { crashContract } from "./CrashContract.ts"
import { dueWorkModelContract } from "./DueWorkModelContract.ts"
import { twoServersContract } from "./TwoServersContract.ts"

/**
 * Promises about dates are kept on the storage, whatever crashes in between: messages are posted and accounts deleted when
 * due, exactly once. What the use cases do with them, on any storage, is tested in the domain.
 */
export const dueWorkContract = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const theSameWayTwice = Effect.map(Layer.build(storage), (way) => [way, way] as const)

  describe("due work", () => {
    crashContract(storage)
    twoServersContract(theSameWayTwice)
    dueWorkModelContract(theSameWayTwice)
  })
}
