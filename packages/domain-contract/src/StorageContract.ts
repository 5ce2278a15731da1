import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe } from "@effect/vitest"
import type { Layer, Scope } from "effect"
import { applicationRepositoryContract } from "./ApplicationRepositoryContract.ts"
import { auditLogContract } from "./AuditLogContract.ts"
import { avatarStoreContract } from "./AvatarStoreContract.ts"
import { consentRepositoryContract } from "./ConsentRepositoryContract.ts"
import { credentialRepositoryContract } from "./CredentialRepositoryContract.ts"
import { deletedDataContract } from "./DeletedDataContract.ts"
import { crashContract } from "./due-work/CrashContract.ts"
import { dueWorkModelContract } from "./due-work/DueWorkModelContract.ts"
import { twoServersContract } from "./due-work/TwoServersContract.ts"
import { dueDeletionContract } from "./DueDeletionContract.ts"
import { dueMessageContract } from "./DueMessageContract.ts"
import { entityContract } from "./EntityContract.ts"
import { eventLogContract } from "./EventLogContract.ts"
import { guildRepositoryContract } from "./GuildRepositoryContract.ts"
import { memberChangeContract } from "./MemberChangeContract.ts"
import { memberDirectoryContract } from "./MemberDirectoryContract.ts"
import { membershipRepositoryContract } from "./MembershipRepositoryContract.ts"
import { messageRepositoryContract } from "./MessageRepositoryContract.ts"
import { PORTS } from "./OwnPorts.ts"
import { raceContract } from "./races/RaceContract.ts"
import { scheduledMessageRepositoryContract } from "./ScheduledMessageRepositoryContract.ts"
import { snowflakeHistoryContract } from "./SnowflakeHistoryContract.ts"
import { storageHealthContract } from "./StorageHealthContract.ts"
import { unitOfWorkContract } from "./UnitOfWorkContract.ts"
import { userRepositoryContract } from "./UserRepositoryContract.ts"
import { webhookRepositoryContract } from "./WebhookRepositoryContract.ts"
import type { TwoConnections } from "./world/World.ts"

/**
 * The contract of a storage, to be called in a test file. The layer is built many times, each time over a new, empty
 * storage. The two connections are to one empty storage.
 */
export const storageContract = <E, E2>(
  name: string,
  storage: Layer.Layer<StoragePorts, E>,
  twoConnections: TwoConnections<E2, Scope.Scope>
) =>
  describe(name, () => {
    applicationRepositoryContract(storage, PORTS)
    auditLogContract(storage, PORTS)
    avatarStoreContract(storage, PORTS)
    consentRepositoryContract(storage, PORTS)
    credentialRepositoryContract(storage, PORTS)
    deletedDataContract(storage, PORTS)
    dueDeletionContract(storage, PORTS)
    dueMessageContract(storage, PORTS)
    describe("due work", () => {
      crashContract(storage)
      twoServersContract(twoConnections)
      dueWorkModelContract(twoConnections)
    })
    entityContract(storage, PORTS)
    eventLogContract(storage, PORTS)
    guildRepositoryContract(storage, PORTS)
    memberChangeContract(storage, PORTS)
    memberDirectoryContract(storage, PORTS)
    membershipRepositoryContract(storage, PORTS)
    messageRepositoryContract(storage, PORTS)
    raceContract(twoConnections)
    scheduledMessageRepositoryContract(storage, PORTS)
    snowflakeHistoryContract(storage, PORTS)
    storageHealthContract(storage, PORTS)
    unitOfWorkContract(storage, PORTS)
    userRepositoryContract(storage, PORTS)
    webhookRepositoryContract(storage, PORTS)
  })
