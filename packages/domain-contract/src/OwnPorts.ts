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
import { describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { withReferences } from "./References.ts"
import { testsOver } from "./TestsOver.ts"

/** All ports of a storage, in the best order to implement them: each port refers only to earlier ones. */
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

/** A port of a storage, as a tag. */
export type Port = (typeof PORTS)[number]

const KEYS = PORTS.map(({ key }) => key)

/** The ports that a layer provides. Builds the layer to find them. */
const portsOf = <A, E>(own: Layer.Layer<A, E>): Promise<ReadonlyArray<Port>> =>
  Effect.runPromise(
    Effect.scoped(Effect.map(Layer.build(own), ({ unsafeMap }) => PORTS.filter(({ key }) => unsafeMap.has(key))))
  )

/** A storage that nobody uses, where all ports are tested: to build one for each test takes longer than many of them. */
const unused = Effect.runSync(Effect.cached(Effect.scoped(Layer.build(StorageMemory.layer))))

/** The layer, with the missing ports in memory. Accounts, guilds and the like are written to both. */
const completed = <A, E>(own: Layer.Layer<A, E>, keys: ReadonlySet<string>): Layer.Layer<StoragePorts, E> =>
  Layer.scopedContext(Effect.gen(function*() {
    const tested = yield* Layer.build(own)
    if (keys.size === KEYS.length) return Context.merge(yield* unused, tested)
    const memory = yield* Layer.build(StorageMemory.layer)
    return withReferences(Context.merge(memory, tested), memory, keys)
  }))

/**
 * Whether the tested layer provides all of these ports. The others are in memory, so a test that needs both would test the
 * memory.
 */
export type Has = (...ports: ReadonlyArray<Port>) => boolean

/** What a contract is made of: the tested layer with the missing ports, and tests that each run on a new storage of it. */
interface ContractParts {
  readonly storage: Layer.Layer<StoragePorts, unknown>
  readonly has: Has
  readonly it: ReturnType<typeof testsOver>
}

/**
 * Makes the contract of a port. It can run on a layer of only that port, or of that port and others; the missing ports are
 * in memory. Tests of several ports together, such as a rollback, run if the layer provides all of them. To find the ports,
 * the layer is built once more, unless the caller passes them.
 */
export const portContract =
  <Tested>(name: string, contract: (parts: ContractParts) => void) =>
  <E>(own: Layer.Layer<Tested, E>, provided?: ReadonlyArray<Port>): void => {
    const declare = (ports: ReadonlyArray<Port>): void => {
      const keys = new Set(ports.map(({ key }) => key))
      const storage = completed(own, keys)
      contract({ storage, has: (...wanted) => wanted.every(({ key }) => keys.has(key)), it: testsOver(storage) })
    }
    describe(name, () => provided === undefined ? portsOf(own).then(declare) : declare(provided))
  }
