import { fifoLockContract } from "@community-messaging/domain-contract/FifoLockContract"
import { FifoLock } from "@community-messaging/storage-sql/FifoLock"

fifoLockContract(() => {
  const lock = new FifoLock()
  return { exclusively: (effect) => lock.exclusively(effect), isHeld: () => lock.isHeld }
})
