import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Layer } from "effect"

/** The use cases over that storage, composed as in the service. */
export const useCasesOn = <E>(storage: Layer.Layer<StoragePorts, E>, worker: number) =>
  UseCases.layer.pipe(
    Layer.provideMerge(SnowflakeGenerator.layer(worker)),
    Layer.provideMerge(storage),
    Layer.provideMerge(PlatformNode.layer)
  )

/** The use cases over the database in that file. */
export const useCases = (filename: string, worker: number) => useCasesOn(StorageSqlite.layer({ filename }), worker)
