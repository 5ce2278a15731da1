import { SnowflakeGenerator } from "@community-messaging/domain/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import { requestIds } from "@community-messaging/http-adapter/server/Listener"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Runtime } from "effect"
import * as Callers from "./Callers.ts"
import * as Operations from "./Operations.ts"
import type { Refused } from "./Refused.ts"

/** The use cases over the database in that file, as the service puts them together. */
export const useCases = (filename: string, worker: number) =>
  UseCases.layer.pipe(
    Layer.provideMerge(StorageSqlite.layer({ filename })),
    Layer.provideMerge(SnowflakeGenerator.layer(worker)),
    Layer.provideMerge(PlatformNode.layer)
  )

const prepare = Effect.gen(function*() {
  return {
    callers: yield* Callers.make,
    operations: yield* Operations.make,
    requestId: yield* requestIds,
    runtime: yield* Effect.runtime()
  }
})

/**
 * Everything that the peer needs besides HTTP: built once, and run per request on one runtime. Nobody is limited, spans are
 * off and requests are not logged, as when ours is measured.
 */
export const make = async (filename: string) => {
  const managed = ManagedRuntime.make(
    Layer.mergeAll(
      useCases(filename, 1),
      Layer.setTracerEnabled(false),
      Logger.minimumLogLevel(LogLevel.Warning)
    )
  )
  const { callers, operations, requestId, runtime } = await managed.runPromise(prepare)
  return {
    callers,
    operations,
    requestId,
    /** Runs what a request needs. */
    run: <A>(effect: Effect.Effect<A, Refused>) => Runtime.runPromise(runtime)(Effect.either(effect)),
    close: () => managed.dispose()
  }
}

/** Everything that the peer needs besides HTTP. */
export type Service = Awaited<ReturnType<typeof make>>
