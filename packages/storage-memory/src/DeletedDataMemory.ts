import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { Effect, Layer } from "effect"

/** `DeletedData` in memory, which has no files. */
export const layer: Layer.Layer<DeletedData> = Layer.succeed(DeletedData, { purge: Effect.succeed(true) })
