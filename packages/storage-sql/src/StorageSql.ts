import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import type { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Layer } from "effect"
import * as ApplicationRepositorySql from "./ApplicationRepositorySql.ts"
import * as AuditLogSql from "./AuditLogSql.ts"
import * as AvatarStoreSql from "./AvatarStoreSql.ts"
import * as ConsentRepositorySql from "./ConsentRepositorySql.ts"
import * as CredentialRepositorySql from "./CredentialRepositorySql.ts"
import type { Database } from "./Database.ts"
import * as EventLogSql from "./EventLogSql.ts"
import * as GuildRepositorySql from "./GuildRepositorySql.ts"
import * as MembershipRepositorySql from "./MembershipRepositorySql.ts"
import * as MessageRepositorySql from "./MessageRepositorySql.ts"
import * as ScheduledMessageRepositorySql from "./ScheduledMessageRepositorySql.ts"
import * as SnowflakeHistorySql from "./SnowflakeHistorySql.ts"
import * as UnitOfWorkSql from "./UnitOfWorkSql.ts"
import * as UserRepositorySql from "./UserRepositorySql.ts"
import * as WebhookRepositorySql from "./WebhookRepositorySql.ts"

/** All storage ports over a database, except the three that each database implements itself. */
export const layer: Layer.Layer<Exclude<StoragePorts, DeletedData | MemberDirectory | StorageHealth>, never, Database> =
  Layer.mergeAll(
    ApplicationRepositorySql.layer,
    AuditLogSql.layer,
    AvatarStoreSql.layer,
    ConsentRepositorySql.layer,
    CredentialRepositorySql.layer,
    EventLogSql.layer,
    GuildRepositorySql.layer,
    MembershipRepositorySql.layer,
    MessageRepositorySql.layer,
    ScheduledMessageRepositorySql.layer,
    SnowflakeHistorySql.layer,
    UnitOfWorkSql.layer,
    UserRepositorySql.layer,
    WebhookRepositorySql.layer
  )
