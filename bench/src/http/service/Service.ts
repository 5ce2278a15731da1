import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import * as UseCases from "@community-messaging/domain/UseCases"
import { requestIds } from "@community-messaging/http-adapter/server/Listener"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, type Exit, Layer, Logger, LogLevel, ManagedRuntime, Runtime } from "effect"
import * as Admission from "./Admission.ts"
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
    admission: yield* Admission.make,
    operations: yield* Operations.make,
    requestId: yield* requestIds,
    runtime: yield* Effect.runtime()
  }
})

/**
 * Everything that a peer needs besides HTTP: built once, and run per request on one runtime. Limits are those that the
 * service has by default; spans are off and requests are not logged, as when ours is measured.
 */
export const make = async (filename: string) => {
  const managed = ManagedRuntime.make(
    Layer.mergeAll(
      useCases(filename, 1),
      RateLimits.layer(),
      Layer.setTracerEnabled(false),
      Logger.minimumLogLevel(LogLevel.Warning)
    )
  )
  const { admission, operations, requestId, runtime } = await managed.runPromise(prepare)
  return {
    admission,
    operations,
    requestId,
    /** Runs what a request needs, and hands over how it ended. */
    start: <A>(effect: Effect.Effect<A, Refused>, onExit: (exit: Exit.Exit<A, Refused>) => void): void => {
      Runtime.runCallback(runtime)(effect, { onExit })
    },
    /** The same as a promise. */
    run: <A>(effect: Effect.Effect<A, Refused>) => Runtime.runPromise(runtime)(Effect.either(effect)),
    close: () => managed.dispose()
  }
}

/** Everything that a peer needs besides HTTP. */
export type Service = Awaited<ReturnType<typeof make>>
