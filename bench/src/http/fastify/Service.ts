import { countRequest } from "@community-messaging/http-adapter/server/Exchange"
import { makeRequestIds } from "@community-messaging/http-adapter/server/Listener"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { ServiceUnavailable } from "@community-messaging/http-adapter/wire/ApiError"
import { Cause, Effect, Either, Exit, FiberId, Layer, Logger, LogLevel, ManagedRuntime, Runtime } from "effect"
import type { ServerResponse } from "node:http"
import { useCases } from "../UseCases.ts"
import * as Authentication from "./Authentication.ts"
import * as Operations from "./Operations.ts"
import { type Refused, refused } from "./Refused.ts"

/** How long the work on a request may take, in milliseconds: as ours by default. */
const REQUEST_TIMEOUT_MILLIS = 10_000

const prepare = Effect.gen(function*() {
  return {
    authentication: yield* Authentication.make,
    operations: yield* Operations.make,
    requestId: yield* makeRequestIds,
    runtime: yield* Effect.runtime()
  }
})

/**
 * Everything that the peer needs besides HTTP: built once, and run per request on one runtime. Without rate limits,
 * spans and the log of requests, like ours in the benchmark.
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
  const fork = Runtime.runFork(runtime)
  return {
    authentication,
    operations,
    requestId,
    /** Counts a request with its duration, as ours does. */
    count: countRequest,
    /** Runs the effect of a request; interrupts it when the client disconnects or the time is over. */
    run: <A>(effect: Effect.Effect<A, Refused>, response: ServerResponse) =>
      new Promise<Either.Either<A, Refused>>((resolve, reject) => {
        const fiber = fork(effect)
        const end = (exit: Exit.Exit<A, Refused>) => {
          if (Exit.isSuccess(exit)) return resolve(Either.right(exit.value))
          if (exit.cause._tag === "Fail") return resolve(Either.left(exit.cause.error))
          if (Cause.isInterrupted(exit.cause)) return resolve(Either.left(refused(new ServiceUnavailable())))
          reject(Cause.squash(exit.cause))
        }
        const exit = fiber.unsafePoll()
        if (exit !== null) return end(exit)
        const stop = () => fiber.unsafeInterruptAsFork(FiberId.none)
        const deadline = setTimeout(stop, REQUEST_TIMEOUT_MILLIS)
        response.once("close", stop)
        fiber.addObserver((outcome) => {
          clearTimeout(deadline)
          response.off("close", stop)
          end(outcome)
        })
      }),
    close: () => managed.dispose()
  }
}
