import type { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import { Layer } from "effect"
import type { StorageConfiguration } from "./configuration/StorageSettings.ts"
import * as Storage from "./storage/Storage.ts"

/** The use cases over that storage and the Node platform. */
export const over = <A, E, R>(storage: Layer.Layer<StoragePorts | SnowflakeGenerator | A, E, R>) =>
  UseCases.layer.pipe(
    Layer.provideMerge(storage),
    Layer.provideMerge(PlatformNode.layer)
  )

/** The use cases over the configured storage, for commands. */
export const layer = (configuration: StorageConfiguration) => over(Storage.layer(configuration))

/** All use cases and the ports that they need. */
export type Service = Layer.Layer.Success<ReturnType<typeof layer>>
