import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { Layer } from "effect"
import { atomicityContract } from "./AtomicityContract.ts"
import { isolationContract } from "./IsolationContract.ts"
import { lockContract } from "./LockContract.ts"
import { snapshotContract } from "./SnapshotContract.ts"

/** What `UnitOfWork` promises, of whichever ports. */
export const unitOfWorkContract = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  atomicityContract(storage)
  isolationContract(storage)
  lockContract(storage)
  snapshotContract(storage)
}
