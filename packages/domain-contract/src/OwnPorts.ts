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
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Context, Effect, Layer } from "effect"
import type { TestContext } from "vitest"
import { withReferences } from "./References.ts"

/** All ports of a storage, in the order in which an adapter is best written: each refers to earlier ones only. */
export const PORTS = [
  UserRepository,
  GuildRepository,
  MembershipRepository,
  CredentialRepository,
  ApplicationRepository,
  ConsentRepository,
  MessageRepository,
  AvatarStore,
  WebhookRepository,
  ScheduledMessageRepository,
  AuditLog,
  EventLog,
  UnitOfWork,
  SnowflakeHistory,
  MemberDirectory,
  DeletedData,
  StorageHealth
] as const

/** The keys of the ports that the tested layer provides itself. The others are in memory. */
class OwnPorts extends Context.Reference<OwnPorts>()("@community-messaging/domain-contract/OwnPorts", {
  defaultValue: (): ReadonlySet<string> => new Set(PORTS.map(({ key }) => key))
}) {}

/** The layer, and in memory what it does not provide. Accounts, guilds and the like are written to both. */
const completed = <E>(own: Layer.Layer<never, E>): Layer.Layer<StoragePorts, E> =>
  Layer.scopedContext(Effect.gen(function*() {
    const tested = yield* Layer.build(own)
    const memory = yield* Layer.build(StorageMemory.layer)
    const keys = new Set(PORTS.map(({ key }) => key).filter((key) => tested.unsafeMap.has(key)))
    const storage = Context.merge(memory, tested)
    return Context.add(keys.size < PORTS.length ? withReferences(storage, memory, keys) : storage, OwnPorts, keys)
  }))

/**
 * Makes the contract of a port. It can be run on a layer of that port alone, or of that port and others; what the layer does
 * not provide is in memory.
 */
export const portContract =
  <Port>(contract: (storage: Layer.Layer<StoragePorts, unknown>) => void) => <E>(own: Layer.Layer<Port, E>): void =>
    contract(completed(own))

/** Skips the test unless the tested layer provides these ports itself, such as the transaction that it is about. */
export const needs = (context: TestContext, ...ports: ReadonlyArray<(typeof PORTS)[number]>): Effect.Effect<void> =>
  Effect.flatMap(OwnPorts, (own) =>
    Effect.sync(() => {
      const missing = ports.filter(({ key }) => !own.has(key))
      if (missing.length > 0) context.skip(`needs ${missing.map(({ key }) => key).join(", ")} of the same storage`)
    }))
