import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cancellingLaws } from "./CancellingLaws.ts"
import { crashLaws } from "./CrashLaws.ts"
import { deletionBatchLaws } from "./DeletionBatchLaws.ts"
import { deletionLaws } from "./DeletionLaws.ts"
import { dispatchLaws } from "./DispatchLaws.ts"
import { dueWorkModelLaws } from "./DueWorkModelLaws.ts"
import { editingLaws } from "./EditingLaws.ts"
import { meanwhileLaws } from "./MeanwhileLaws.ts"
import { monthLaws } from "./MonthLaws.ts"
import { pendingLaws } from "./PendingLaws.ts"
import { retentionLaws } from "./RetentionLaws.ts"
import { retryLaws } from "./RetryLaws.ts"
import { schedulingLaws } from "./SchedulingLaws.ts"
import { twoServersLaws } from "./TwoServersLaws.ts"
import { undeliveredLimitLaws } from "./UndeliveredLimitLaws.ts"

/**
 * That promises about dates are kept, whatever crashes in between: messages are posted and accounts deleted when due,
 * exactly once. The use cases run on the storage as a server would run them. Source: API gaps, Scheduled messages and
 * Deletion of an account.
 */
export const dueWorkLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const theSameWayTwice = Effect.map(Layer.build(storage), (way) => [way, way] as const)

  describe("due work", () => {
    schedulingLaws(storage)
    pendingLaws(storage)
    undeliveredLimitLaws(storage)
    editingLaws(storage)
    cancellingLaws(storage)
    dispatchLaws(storage)
    retryLaws(storage)
    meanwhileLaws(storage)
    retentionLaws(storage)
    deletionLaws(storage)
    deletionBatchLaws(storage)
    crashLaws(storage)
    twoServersLaws(theSameWayTwice)
    monthLaws(theSameWayTwice)
    dueWorkModelLaws(theSameWayTwice)
  })
}
