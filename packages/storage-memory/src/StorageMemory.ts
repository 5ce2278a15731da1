import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Context, Effect, Layer } from "effect"
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

/** The ports over one state. */
const ports = (
  state: typeof MemoryState.Service,
  epoch: typeof SnowflakeEpoch.Service
): Context.Context<StoragePorts> => {
  const memberships = MembershipRepositoryMemory.make(state)
  return Context.empty().pipe(
    Context.add(ApplicationRepository, ApplicationRepositoryMemory.make(state)),
    Context.add(AuditLog, AuditLogMemory.make(state)),
    Context.add(AvatarStore, AvatarStoreMemory.make(state)),
    Context.add(ConsentRepository, ConsentRepositoryMemory.make(state)),
    Context.add(CredentialRepository, CredentialRepositoryMemory.make(state)),
    Context.add(EventLog, EventLogMemory.make(state)),
    Context.add(GuildRepository, GuildRepositoryMemory.make(state)),
    Context.add(MembershipRepository, memberships),
    Context.add(MemberDirectory, MemberDirectoryMemory.make(state, memberships, epoch)),
    Context.add(MessageRepository, MessageRepositoryMemory.make(state)),
    Context.add(ScheduledMessageRepository, ScheduledMessageRepositoryMemory.make(state)),
    Context.add(SnowflakeHistory, SnowflakeHistoryMemory.make(state)),
    Context.add(UnitOfWork, UnitOfWorkMemory.make(state)),
    Context.add(UserRepository, UserRepositoryMemory.make(state)),
    Context.add(WebhookRepository, WebhookRepositoryMemory.make(state)),
    // Memory has no files.
    Context.add(DeletedData, { purge: Effect.succeed(true) }),
    Context.add(StorageHealth, { read: Effect.void, write: Effect.void, isMigrated: Effect.succeed(true) })
  )
}

/** A storage in memory. Its data is lost when the process ends. Each build of the layer starts empty. */
export const layer: Layer.Layer<StoragePorts> = Layer.effectContext(
  Effect.zipWith(MemoryState, SnowflakeEpoch, ports)
).pipe(Layer.provide(MemoryState.layer))
