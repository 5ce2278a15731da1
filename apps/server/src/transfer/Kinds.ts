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
 * All record kinds. Each kind follows those that it refers to, so that an export in this order can be imported line by
 * line.
 *
 * Some data is left out on purpose: authorization codes, because they are short-lived; access grants, because their tokens
 * belong to one service, and applications request new ones with a new consent; seen deliveries, because they expire within a
 * day; the event log and the audit log, because their sequence numbers belong to one service. A backup of the database has
 * all of it.
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
