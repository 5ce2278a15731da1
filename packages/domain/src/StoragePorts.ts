import type { CredentialRepository } from "./access/CredentialRepository.ts"
import type { UserRepository } from "./account/UserRepository.ts"
import type { AuditLog } from "./audit/AuditLog.ts"
import type { GuildRepository } from "./guild/GuildRepository.ts"
import type { MembershipRepository } from "./guild/MembershipRepository.ts"
import type { MemberDirectory } from "./member-search/MemberDirectory.ts"
import type { MessageRepository } from "./message/MessageRepository.ts"
import type { ApplicationRepository } from "./oauth2/ApplicationRepository.ts"
import type { ConsentRepository } from "./oauth2/ConsentRepository.ts"
import type { ScheduledMessageRepository } from "./scheduled-message/ScheduledMessageRepository.ts"
import type { DeletedData } from "./shared-kernel/DeletedData.ts"
import type { EventLog } from "./shared-kernel/EventLog.ts"
import type { SnowflakeHistory } from "./shared-kernel/SnowflakeHistory.ts"
import type { StorageHealth } from "./shared-kernel/StorageHealth.ts"
import type { UnitOfWork } from "./shared-kernel/UnitOfWork.ts"
import type { AvatarStore } from "./webhook/AvatarStore.ts"
import type { WebhookRepository } from "./webhook/WebhookRepository.ts"

/** All ports that a storage adapter implements. A storage is one layer that provides them all. */
export type StoragePorts =
  | ApplicationRepository
  | AuditLog
  | AvatarStore
  | ConsentRepository
  | DeletedData
  | CredentialRepository
  | EventLog
  | GuildRepository
  | MemberDirectory
  | MembershipRepository
  | MessageRepository
  | ScheduledMessageRepository
  | SnowflakeHistory
  | StorageHealth
  | UnitOfWork
  | UserRepository
  | WebhookRepository
