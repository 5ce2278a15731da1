import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { Layer } from "effect"
import { atomicityLaws } from "./AtomicityLaws.ts"
import { isolationLaws } from "./IsolationLaws.ts"
import { snapshotLaws } from "./SnapshotLaws.ts"

/** What `UnitOfWork` promises, of whichever ports. */
export const unitOfWorkLaws = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  atomicityLaws(storage)
  isolationLaws(storage)
  snapshotLaws(storage)
}
