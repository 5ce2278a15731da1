import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Layer } from "effect"

/** The use cases over the database in that file, as the service puts them together. */
export const useCases = (filename: string, worker: number) =>
  UseCases.layer.pipe(
    Layer.provideMerge(SnowflakeGenerator.layer(worker)),
    Layer.provideMerge(StorageSqlite.layer({ filename })),
    Layer.provideMerge(PlatformNode.layer)
  )
