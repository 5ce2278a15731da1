import { fifoLockContract } from "@community-messaging/domain-contract/FifoLockContract"
import * as FifoLock from "@community-messaging/storage-memory/FifoLock"

fifoLockContract(() => {
  const { alone, isFree } = FifoLock.make()
  return { exclusively: alone, isHeld: () => !isFree() }
})
