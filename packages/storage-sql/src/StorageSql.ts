import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import type { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Context, Effect, Layer } from "effect"
import * as ApplicationRepositorySql from "./ApplicationRepositorySql.ts"
import * as AuditLogSql from "./AuditLogSql.ts"
import * as AvatarStoreSql from "./AvatarStoreSql.ts"
import * as ConsentRepositorySql from "./ConsentRepositorySql.ts"
import * as CredentialRepositorySql from "./CredentialRepositorySql.ts"
import { Database } from "./Database.ts"
import * as EventLogSql from "./EventLogSql.ts"
import * as GuildRepositorySql from "./GuildRepositorySql.ts"
import * as MembershipRepositorySql from "./MembershipRepositorySql.ts"
import * as MessageRepositorySql from "./MessageRepositorySql.ts"
import * as ScheduledMessageRepositorySql from "./ScheduledMessageRepositorySql.ts"
import * as SnowflakeHistorySql from "./SnowflakeHistorySql.ts"
import * as UnitOfWorkSql from "./UnitOfWorkSql.ts"
import * as UserRepositorySql from "./UserRepositorySql.ts"
import * as WebhookRepositorySql from "./WebhookRepositorySql.ts"

type SqlPorts = Exclude<StoragePorts, DeletedData | MemberDirectory | StorageHealth>

const ports = (database: typeof Database.Service): Context.Context<SqlPorts> =>
  Context.empty().pipe(
    Context.add(ApplicationRepository, ApplicationRepositorySql.make(database)),
    Context.add(AuditLog, AuditLogSql.make(database)),
    Context.add(AvatarStore, AvatarStoreSql.make(database)),
    Context.add(ConsentRepository, ConsentRepositorySql.make(database)),
    Context.add(CredentialRepository, CredentialRepositorySql.make(database)),
    Context.add(EventLog, EventLogSql.make(database)),
    Context.add(GuildRepository, GuildRepositorySql.make(database)),
    Context.add(MembershipRepository, MembershipRepositorySql.make(database)),
    Context.add(MessageRepository, MessageRepositorySql.make(database)),
    Context.add(ScheduledMessageRepository, ScheduledMessageRepositorySql.make(database)),
    Context.add(SnowflakeHistory, SnowflakeHistorySql.make(database)),
    Context.add(UnitOfWork, UnitOfWorkSql.make(database)),
    Context.add(UserRepository, UserRepositorySql.make(database)),
    Context.add(WebhookRepository, WebhookRepositorySql.make(database))
  )

/** All storage ports over a database, except the three that each database implements itself. */
export const layer: Layer.Layer<SqlPorts, never, Database> = Layer.effectContext(Effect.map(Database, ports))
