import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { Effect, Layer } from "effect"

/** `StorageHealth` in memory, which always works. */
export const layer: Layer.Layer<StorageHealth> = Layer.succeed(StorageHealth, {
  read: Effect.void,
  write: Effect.void,
  isMigrated: Effect.succeed(true)
})
