import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe } from "@effect/vitest"
import type { Layer } from "effect"
import { applicationRepositoryContract } from "./ApplicationRepositoryContract.ts"
import { auditLogContract } from "./AuditLogContract.ts"
import { avatarStoreContract } from "./AvatarStoreContract.ts"
import { consentRepositoryContract } from "./ConsentRepositoryContract.ts"
import { credentialRepositoryContract } from "./CredentialRepositoryContract.ts"
import { dueWorkContract } from "./due-work/DueWorkContract.ts"
import { dueDeletionContract } from "./DueDeletionContract.ts"
import { dueMessageContract } from "./DueMessageContract.ts"
import { entityContract } from "./EntityContract.ts"
import { eventLogContract } from "./EventLogContract.ts"
import { guildRepositoryContract } from "./GuildRepositoryContract.ts"
import { memberChangeContract } from "./MemberChangeContract.ts"
import { memberDirectoryContract } from "./MemberDirectoryContract.ts"
import { membershipRepositoryContract } from "./MembershipRepositoryContract.ts"
import { messageRepositoryContract } from "./MessageRepositoryContract.ts"
import { scheduledMessageRepositoryContract } from "./ScheduledMessageRepositoryContract.ts"
import { unitOfWorkContract } from "./UnitOfWorkContract.ts"
import { userRepositoryContract } from "./UserRepositoryContract.ts"
import { webhookRepositoryContract } from "./WebhookRepositoryContract.ts"

/**
 * Everything that a storage has to keep, to be called in a test file. The layer is built many times, and begins with an
 * empty storage of its own each time.
 */
export const storageContract = <E>(name: string, storage: Layer.Layer<StoragePorts, E>) =>
  describe(name, () => {
    applicationRepositoryContract(storage)
    auditLogContract(storage)
    avatarStoreContract(storage)
    consentRepositoryContract(storage)
    credentialRepositoryContract(storage)
    dueDeletionContract(storage)
    dueMessageContract(storage)
    dueWorkContract(storage)
    entityContract(storage)
    eventLogContract(storage)
    guildRepositoryContract(storage)
    memberChangeContract(storage)
    memberDirectoryContract(storage)
    membershipRepositoryContract(storage)
    messageRepositoryContract(storage)
    scheduledMessageRepositoryContract(storage)
    unitOfWorkContract(storage)
    userRepositoryContract(storage)
    webhookRepositoryContract(storage)
  })
