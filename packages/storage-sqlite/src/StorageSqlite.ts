import type { StorageError } from "@community-messaging/domain/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Layer } from "effect"
import * as ApplicationRepositorySqlite from "./ApplicationRepositorySqlite.ts"
import * as AuditLogSqlite from "./AuditLogSqlite.ts"
import * as AvatarStoreSqlite from "./AvatarStoreSqlite.ts"
import * as ConsentRepositorySqlite from "./ConsentRepositorySqlite.ts"
import * as CredentialRepositorySqlite from "./CredentialRepositorySqlite.ts"
import { Database, type DatabaseOptions } from "./Database.ts"
import * as EventLogSqlite from "./EventLogSqlite.ts"
import * as GuildRepositorySqlite from "./GuildRepositorySqlite.ts"
import * as MemberDirectorySqlite from "./MemberDirectorySqlite.ts"
import * as MembershipRepositorySqlite from "./MembershipRepositorySqlite.ts"
import * as MessageRepositorySqlite from "./MessageRepositorySqlite.ts"
import type { UnknownSchemaVersion } from "./Migrations.ts"
import * as ScheduledMessageRepositorySqlite from "./ScheduledMessageRepositorySqlite.ts"
import * as UnitOfWorkSqlite from "./UnitOfWorkSqlite.ts"
import * as UserRepositorySqlite from "./UserRepositorySqlite.ts"
import * as WebhookRepositorySqlite from "./WebhookRepositorySqlite.ts"

/** The ports over an open database. */
export const ports: Layer.Layer<StoragePorts, never, Database> = Layer.mergeAll(
  ApplicationRepositorySqlite.layer,
  AuditLogSqlite.layer,
  AvatarStoreSqlite.layer,
  ConsentRepositorySqlite.layer,
  CredentialRepositorySqlite.layer,
  EventLogSqlite.layer,
  GuildRepositorySqlite.layer,
  MemberDirectorySqlite.layer,
  MembershipRepositorySqlite.layer,
  MessageRepositorySqlite.layer,
  ScheduledMessageRepositorySqlite.layer,
  UnitOfWorkSqlite.layer,
  UserRepositorySqlite.layer,
  WebhookRepositorySqlite.layer
)

/**
 * A storage in one SQLite file, which several processes may share. The file is made where it is not there, and its schema
 * brought up to date; a file of a newer version is refused.
 */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<StoragePorts, StorageError | UnknownSchemaVersion> => Layer.provide(ports, Database.layer(options))
