import * as ApplicationRecord from "./ApplicationRecord.ts"
import * as AvatarRecord from "./AvatarRecord.ts"
import * as ChannelRecord from "./ChannelRecord.ts"
import * as ConsentRecord from "./ConsentRecord.ts"
import * as CredentialRecord from "./CredentialRecord.ts"
import * as GuildRecord from "./GuildRecord.ts"
import * as MemberRecord from "./MemberRecord.ts"
import * as MessageRecord from "./MessageRecord.ts"
import type { RecordKind } from "./RecordKind.ts"
import * as RoleRecord from "./RoleRecord.ts"
import * as ScheduledMessageRecord from "./ScheduledMessageRecord.ts"
import * as UserRecord from "./UserRecord.ts"
import * as WebhookRecord from "./WebhookRecord.ts"

/**
 * All kinds of record, each after those that it refers to: an export in this order can be imported line by line.
 *
 * Left out on purpose: authorisation codes and access grants, which are meant for one process's ten minutes and for
 * clients that can ask again; deliveries seen, which are forgotten within a day; and the logs of events and of audit,
 * whose sequence numbers are the history of one service and would be false in another. A backup of the database keeps
 * all of that.
 */
export const KINDS: ReadonlyArray<RecordKind> = [
  UserRecord.kind,
  GuildRecord.kind,
  RoleRecord.kind,
  ChannelRecord.kind,
  MemberRecord.kind,
  ApplicationRecord.kind,
  AvatarRecord.kind,
  WebhookRecord.kind,
  ScheduledMessageRecord.kind,
  MessageRecord.kind,
  CredentialRecord.kind,
  ConsentRecord.kind
]
