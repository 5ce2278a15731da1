import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe } from "@effect/vitest"
import type { Layer } from "effect"
import { applicationRepositoryLaws } from "./ApplicationRepositoryLaws.ts"
import { auditLogLaws } from "./AuditLogLaws.ts"
import { avatarStoreLaws } from "./AvatarStoreLaws.ts"
import { consentRepositoryLaws } from "./ConsentRepositoryLaws.ts"
import { credentialRepositoryLaws } from "./CredentialRepositoryLaws.ts"
import { dueWorkLaws } from "./due-work/DueWorkLaws.ts"
import { dueDeletionLaws } from "./DueDeletionLaws.ts"
import { dueMessageLaws } from "./DueMessageLaws.ts"
import { entityLaws } from "./EntityLaws.ts"
import { eventLogLaws } from "./EventLogLaws.ts"
import { guildRepositoryLaws } from "./GuildRepositoryLaws.ts"
import { memberChangeLaws } from "./MemberChangeLaws.ts"
import { memberDirectoryLaws } from "./MemberDirectoryLaws.ts"
import { membershipRepositoryLaws } from "./MembershipRepositoryLaws.ts"
import { messageRepositoryLaws } from "./MessageRepositoryLaws.ts"
import { scheduledMessageRepositoryLaws } from "./ScheduledMessageRepositoryLaws.ts"
import { unitOfWorkLaws } from "./UnitOfWorkLaws.ts"
import { userRepositoryLaws } from "./UserRepositoryLaws.ts"
import { webhookRepositoryLaws } from "./WebhookRepositoryLaws.ts"

/**
 * Everything that a storage has to keep, to be called in a test file. The layer is built many times, and begins with an
 * empty storage of its own each time.
 */
export const storageLaws = <E>(name: string, storage: Layer.Layer<StoragePorts, E>) =>
  describe(name, () => {
    applicationRepositoryLaws(storage)
    auditLogLaws(storage)
    avatarStoreLaws(storage)
    consentRepositoryLaws(storage)
    credentialRepositoryLaws(storage)
    dueDeletionLaws(storage)
    dueMessageLaws(storage)
    dueWorkLaws(storage)
    entityLaws(storage)
    eventLogLaws(storage)
    guildRepositoryLaws(storage)
    memberChangeLaws(storage)
    memberDirectoryLaws(storage)
    membershipRepositoryLaws(storage)
    messageRepositoryLaws(storage)
    scheduledMessageRepositoryLaws(storage)
    unitOfWorkLaws(storage)
    userRepositoryLaws(storage)
    webhookRepositoryLaws(storage)
  })
