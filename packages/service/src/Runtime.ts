import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as UseCases from "@community-messaging/domain/UseCases"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as PlatformNode from "@community-messaging/platform-node/PlatformNode"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Option, Schema } from "effect"
import { decodeOptions, invalidField } from "./InvalidInput.ts"
import { optional } from "./OptionalField.ts"

/** A storage of the project's own. */
export type StorageOption =
  /** The data is lost when the process ends. */
  | { readonly kind: "memory" }
  /** An SQLite file, which is created if it does not exist. */
  | { readonly kind: "sqlite"; readonly filename: string }

/** The options of a service. */
export interface Options {
  /** One of the project's own storages, or a layer of yours that provides all `StoragePorts`. */
  readonly storage: StorageOption | Layer.Layer<StoragePorts, unknown>
  /** Whether due messages and deletions are handled and expired data is removed. On by default. */
  readonly backgroundWork?: boolean | undefined
  /**
   * The number of this process in ids, 0 to 1023: a different one for each service on one storage. 0 by default on the
   * project's own storages. A layer of yours needs it, unless it provides a `WorkerNumber`, as that of PostgreSQL does.
   */
  readonly worker?: number | undefined
  /** Whether the mounted HTTP API counts requests against the rate limits. On by default. */
  readonly rateLimits?: boolean | undefined
}

const Plain = Schema.Struct({
  storage: Schema.Unknown,
  backgroundWork: optional(Schema.Boolean),
  worker: optional(integer("int32", { minimum: 0, maximum: 1023 })),
  rateLimits: optional(Schema.Boolean)
})

const PlainStorage = Schema.Struct({
  storage: Schema.Union(
    Schema.Struct({ kind: Schema.Literal("memory") }),
    Schema.Struct({
      kind: Schema.Literal("sqlite"),
      filename: Schema.NonEmptyString.annotations({ message: () => "must be the path of a file" })
    })
  )
})

const isLayer = (storage: Options["storage"]): storage is Layer.Layer<StoragePorts, unknown> => Layer.isLayer(storage)

/** Adds the name of the file to a storage error. */
const nameFile = (filename: string) => <E>(error: E): E | StorageError =>
  error instanceof StorageError
    ? new StorageError({ operation: `${error.operation} (${filename})`, cause: error.cause })
    : error

/** Fails if another service on the file, or a server, has this worker number. */
const reserveWorkerNumber = (filename: string, worker: number) =>
  Layer.scopedDiscard(
    Effect.filterOrFail(
      WorkerLock.acquire(filename, worker),
      (isFree) => isFree,
      () => invalidField("worker", "is the number of another service or server on this file: each needs another one")
    )
  )

/** Makes ids with the worker number of the storage, or else with that of the options. */
const snowflakes = (worker: number | undefined) =>
  Layer.unwrapEffect(Effect.flatMap(Effect.serviceOption(WorkerNumber), (given) => {
    if (Option.isNone(given)) {
      return worker === undefined
        ? invalidField("worker", "is required: each service on one storage needs another number, 0 to 1023")
        : Effect.succeed(SnowflakeGenerator.layer(worker))
    }
    return worker === undefined
      ? Effect.succeed(Layer.provide(SnowflakeGenerator.layerOfWorker, Layer.succeed(WorkerNumber, given.value)))
      : invalidField("worker", "must be left out, because the storage gives the number")
  }))

const storageLayer = ({ storage }: Options, worker: number) =>
  isLayer(storage)
    ? Effect.succeed(storage)
    : Effect.map(
      decodeOptions(PlainStorage)({ storage }),
      ({ storage: plain }): Layer.Layer<StoragePorts, unknown> =>
        plain.kind === "memory"
          ? StorageMemory.layer
          : StorageSqlite.layer({ filename: plain.filename }).pipe(
            Layer.provide(plain.filename === ":memory:" ? Layer.empty : reserveWorkerNumber(plain.filename, worker)),
            Layer.mapError(nameFile(plain.filename))
          )
    )

/** Warnings and errors, such as a failure of the background work, on the standard error. */
const log = Layer.merge(
  Logger.minimumLogLevel(LogLevel.Warning),
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))
)

/** The services that calls may use. */
export type Services = ManagedRuntime.ManagedRuntime.Context<Effect.Effect.Success<ReturnType<typeof make>>>

/** Composes the use cases over the storage, the background work, and the services of a mounted API. */
export const make = (options: Options) =>
  Effect.gen(function*() {
    const { backgroundWork = true, rateLimits = true, worker } = yield* decodeOptions(Plain)(options)
    const storage = yield* storageLayer(options, worker ?? 0)
    const useCases = UseCases.layer.pipe(
      Layer.provideMerge(snowflakes(isLayer(options.storage) ? worker : worker ?? 0)),
      Layer.provideMerge(PlatformNode.layer),
      Layer.provideMerge(storage)
    )
    return ManagedRuntime.make(
      // The scope of mounted APIs, and the background work, end before the storage.
      Layer.mergeAll(
        Layer.scope,
        backgroundWork ? BackgroundWork.layer : Layer.empty,
        rateLimits ? RateLimits.layer() : RateLimits.layerOff
      ).pipe(
        Layer.provideMerge(useCases),
        Layer.provide(log)
      )
    )
  })
