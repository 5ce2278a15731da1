import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Effect, Layer } from "effect"
import * as ApplicationRepositoryMemory from "./ApplicationRepositoryMemory.ts"
import * as AuditLogMemory from "./AuditLogMemory.ts"
import * as AvatarStoreMemory from "./AvatarStoreMemory.ts"
import * as ConsentRepositoryMemory from "./ConsentRepositoryMemory.ts"
import * as CredentialRepositoryMemory from "./CredentialRepositoryMemory.ts"
import * as EventLogMemory from "./EventLogMemory.ts"
import * as GuildRepositoryMemory from "./GuildRepositoryMemory.ts"
import * as MemberDirectoryMemory from "./MemberDirectoryMemory.ts"
import * as MembershipRepositoryMemory from "./MembershipRepositoryMemory.ts"
import { MemoryState } from "./MemoryState.ts"
import * as MessageRepositoryMemory from "./MessageRepositoryMemory.ts"
import * as ScheduledMessageRepositoryMemory from "./ScheduledMessageRepositoryMemory.ts"
import * as SnowflakeHistoryMemory from "./SnowflakeHistoryMemory.ts"
import * as UnitOfWorkMemory from "./UnitOfWorkMemory.ts"
import * as UserRepositoryMemory from "./UserRepositoryMemory.ts"
import * as WebhookRepositoryMemory from "./WebhookRepositoryMemory.ts"

/** A storage in memory. Its data is lost when the process ends. Each build of the layer starts empty. */
export const layer: Layer.Layer<StoragePorts> = Layer.mergeAll(
  ApplicationRepositoryMemory.layer,
  AuditLogMemory.layer,
  AvatarStoreMemory.layer,
  // Memory has no files.
  Layer.succeed(DeletedData, { purge: Effect.succeed(true) }),
  ConsentRepositoryMemory.layer,
  CredentialRepositoryMemory.layer,
  EventLogMemory.layer,
  GuildRepositoryMemory.layer,
  Layer.provide(MemberDirectoryMemory.layer, MembershipRepositoryMemory.layer),
  MembershipRepositoryMemory.layer,
  MessageRepositoryMemory.layer,
  ScheduledMessageRepositoryMemory.layer,
  SnowflakeHistoryMemory.layer,
  Layer.succeed(StorageHealth, { read: Effect.void, write: Effect.void, isMigrated: Effect.succeed(true) }),
  UnitOfWorkMemory.layer,
  UserRepositoryMemory.layer,
  WebhookRepositoryMemory.layer
).pipe(Layer.provide(MemoryState.layer))
