import { Context, type Effect, type Option } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Application, ApplicationId } from "./Application.ts"

/** Port: stores registered applications. */
export class ApplicationRepository
  extends Context.Tag("@community-messaging/domain/ApplicationRepository")<ApplicationRepository, {
    readonly find: (id: ApplicationId) => Effect.Effect<Option.Option<Application>, StorageError>
    /** Inserts or updates the application. */
    readonly save: (application: Application) => Effect.Effect<void, StorageError>
    /** Returns applications ordered by id, starting after `after`. */
    readonly list: (options: {
      readonly after: Option.Option<ApplicationId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Application>, StorageError>
  }>()
{}
