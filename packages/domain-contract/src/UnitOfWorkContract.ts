import type { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { Layer } from "effect"
import { atomicityContract } from "./AtomicityContract.ts"
import { isolationContract } from "./IsolationContract.ts"
import { lockContract } from "./LockContract.ts"
import type { Port } from "./OwnPorts.ts"
import { snapshotContract } from "./SnapshotContract.ts"

/** The contract of `UnitOfWork` for accounts, and for the other ports that the layer provides. */
export const unitOfWorkContract = <E>(
  own: Layer.Layer<UnitOfWork | UserRepository, E>,
  provided?: ReadonlyArray<Port>
): void => {
  atomicityContract(own, provided)
  isolationContract(own, provided)
  lockContract(own, provided)
  snapshotContract(own, provided)
}
