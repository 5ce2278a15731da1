import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import * as RequestIds from "@community-messaging/http-adapter/server/RequestIds"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Runtime } from "effect"
import { useCases } from "../UseCases.ts"
import * as Authentication from "./Authentication.ts"
import * as Operations from "./Operations.ts"
import type { Refused } from "./Refused.ts"

const prepare = Effect.gen(function*() {
  return {
    authentication: yield* Authentication.make,
    operations: yield* Operations.make,
    requestId: yield* RequestIds.make,
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
      RateLimits.layerOff,
      Layer.setTracerEnabled(false),
      Logger.minimumLogLevel(LogLevel.Warning)
    )
  )
  const { authentication, operations, requestId, runtime } = await managed.runPromise(prepare)
  return {
    authentication,
    operations,
    requestId,
    /** Runs what a request needs. */
    run: <A>(effect: Effect.Effect<A, Refused>) => Runtime.runPromise(runtime)(Effect.either(effect)),
    close: () => managed.dispose()
  }
}
