import { applicationRepositoryContract } from "@community-messaging/domain-contract/ApplicationRepositoryContract"
import { auditLogContract } from "@community-messaging/domain-contract/AuditLogContract"
import { avatarStoreContract } from "@community-messaging/domain-contract/AvatarStoreContract"
import { consentRepositoryContract } from "@community-messaging/domain-contract/ConsentRepositoryContract"
import { credentialRepositoryContract } from "@community-messaging/domain-contract/CredentialRepositoryContract"
import { deletedDataContract } from "@community-messaging/domain-contract/DeletedDataContract"
import { dueDeletionContract } from "@community-messaging/domain-contract/DueDeletionContract"
import { dueMessageContract } from "@community-messaging/domain-contract/DueMessageContract"
import { entityContract } from "@community-messaging/domain-contract/EntityContract"
import { eventLogContract } from "@community-messaging/domain-contract/EventLogContract"
import { guildRepositoryContract } from "@community-messaging/domain-contract/GuildRepositoryContract"
import { memberChangeContract } from "@community-messaging/domain-contract/MemberChangeContract"
import { memberDirectoryContract } from "@community-messaging/domain-contract/MemberDirectoryContract"
import { membershipRepositoryContract } from "@community-messaging/domain-contract/MembershipRepositoryContract"
import { messageRepositoryContract } from "@community-messaging/domain-contract/MessageRepositoryContract"
import { scheduledMessageRepositoryContract } from "@community-messaging/domain-contract/ScheduledMessageRepositoryContract"
import { snowflakeHistoryContract } from "@community-messaging/domain-contract/SnowflakeHistoryContract"
import { storageHealthContract } from "@community-messaging/domain-contract/StorageHealthContract"
import { unitOfWorkContract } from "@community-messaging/domain-contract/UnitOfWorkContract"
import { userRepositoryContract } from "@community-messaging/domain-contract/UserRepositoryContract"
import { webhookRepositoryContract } from "@community-messaging/domain-contract/WebhookRepositoryContract"
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
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe } from "@effect/vitest"
import { Context, Layer } from "effect"

/*
 * An adapter that grows port by port, in the order of docs/writing-an-adapter.md: a second memory, of which the tests use
 * only the ports that are written so far. Each contract passes with the other ports in a separate memory.
 */

const adapter = StorageMemory.layer

describe("the contract of a port passes with only that port:", () => {
  userRepositoryContract(Layer.map(adapter, Context.pick(UserRepository)))
  dueDeletionContract(Layer.map(adapter, Context.pick(UserRepository)))
  applicationRepositoryContract(Layer.map(adapter, Context.pick(ApplicationRepository)))
  entityContract(Layer.map(adapter, Context.pick(ConsentRepository)))
  consentRepositoryContract(Layer.map(adapter, Context.pick(ConsentRepository)))
  avatarStoreContract(Layer.map(adapter, Context.pick(AvatarStore)))
  auditLogContract(Layer.map(adapter, Context.pick(AuditLog)))
  eventLogContract(Layer.map(adapter, Context.pick(EventLog)))
  snowflakeHistoryContract(Layer.map(adapter, Context.pick(SnowflakeHistory)))
  deletedDataContract(Layer.map(adapter, Context.pick(DeletedData)))
  storageHealthContract(Layer.map(adapter, Context.pick(StorageHealth)))
})

const guilds = Layer.map(adapter, Context.pick(UserRepository, GuildRepository))
const members = Layer.map(adapter, Context.pick(UserRepository, GuildRepository, MembershipRepository))
const directory = Layer.map(
  adapter,
  Context.pick(UserRepository, GuildRepository, MembershipRepository, UnitOfWork, MemberDirectory)
)

describe("the contract of a port passes with the ports that it refers to:", () => {
  guildRepositoryContract(guilds)
  avatarStoreContract(Layer.map(adapter, Context.pick(UserRepository, GuildRepository, AvatarStore)))
  snowflakeHistoryContract(Layer.map(adapter, Context.pick(UserRepository, GuildRepository, SnowflakeHistory)))
  membershipRepositoryContract(members)
  entityContract(members)
  credentialRepositoryContract(Layer.map(adapter, Context.pick(UserRepository, CredentialRepository)))
  messageRepositoryContract(Layer.map(adapter, Context.pick(UserRepository, GuildRepository, MessageRepository)))
  webhookRepositoryContract(
    Layer.map(adapter, Context.pick(UserRepository, GuildRepository, AvatarStore, WebhookRepository))
  )
  scheduledMessageRepositoryContract(
    Layer.map(adapter, Context.pick(UserRepository, GuildRepository, ScheduledMessageRepository))
  )
  dueMessageContract(Layer.map(adapter, Context.pick(UserRepository, GuildRepository, ScheduledMessageRepository)))
  unitOfWorkContract(Layer.map(adapter, Context.pick(UserRepository, UnitOfWork)))
  memberDirectoryContract(directory)
  memberChangeContract(directory)
})
