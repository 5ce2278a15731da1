import type { Authentication } from "@community-messaging/domain/access/Authentication"
import type { Credentials } from "@community-messaging/domain/access/Credentials"
import type { Tokens } from "@community-messaging/domain/access/Tokens"
import type { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import type { Accounts } from "@community-messaging/domain/account/Accounts"
import type { GuildAccess } from "@community-messaging/domain/guild/GuildAccess"
import type { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import type { Consents } from "@community-messaging/domain/oauth2/Consents"
import type { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import type { SecureRandom } from "@community-messaging/domain/shared-kernel/SecureRandom"
import type { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import type { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import type { FileSystem, HttpServer, HttpServerError, Path } from "@effect/platform"
import type { Effect, Layer } from "effect"
import type { ClusterNotServed } from "../cluster/ClusterNotServed.ts"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import type { StorageConfiguration } from "../configuration/StorageSettings.ts"
import type { GracefulShutdown } from "../serving/ListeningServer.ts"
import type { StorageUnusable } from "../storage/Storage.ts"
import type { MetricsNotServed } from "../telemetry/MetricsServer.ts"
import type { MetricsUrl } from "../telemetry/Telemetry.ts"

/** All use cases and the ports that they need. */
export type Service =
  | Accounts
  | DueDeletions
  | Tokens
  | Authentication
  | Consents
  | Credentials
  | Digest
  | GuildAccess
  | ImageInspector
  | MemberSearch
  | ScheduledMessages
  | SecureRandom
  | SnowflakeGenerator
  | StoragePorts
  | Webhooks

/** The layers that the commands run on. `NodeComposition.ts` makes them. */
export interface Composition {
  /** The use cases over the configured storage. */
  readonly service: (
    configuration: StorageConfiguration
  ) => Layer.Layer<Service, StorageUnusable, FileSystem.FileSystem | Path.Path>
  /**
   * The listening HTTP server and the background work. The server answers health checks from the start. The API and the
   * background work start after the preparation succeeds; if it fails, neither starts. The server serves these pages besides
   * those of the API.
   */
  readonly server: <E>(
    configuration: ServerConfiguration,
    preparation: Effect.Effect<void, E, Service | FileSystem.FileSystem | Path.Path>,
    pages?: ReadonlyArray<Page>
  ) => Layer.Layer<
    Service | HttpServer.HttpServer | GracefulShutdown | MetricsUrl,
    StorageUnusable | ClusterNotServed | HttpServerError.ServeError | MetricsNotServed | E,
    FileSystem.FileSystem | Path.Path
  >
}
