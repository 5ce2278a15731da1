import { AdminKey, BotToken } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Message } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { Application } from "@community-messaging/domain/oauth2/Application"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { wellFormedIn } from "@community-messaging/domain/shared-kernel/WellFormedText"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Avatar } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Either, FastCheck, type Layer, Option, Schema } from "effect"
import { arbitrary, malformedTexts, RUNS } from "./Arbitraries.ts"
import { atomically } from "./Atomically.ts"
import { type Related, related, writeAll } from "./EveryPort.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"

/** Values that are valid for some fields and invalid for others. */
const VALUES: ReadonlyArray<unknown> = [
  undefined,
  null,
  "",
  " ",
  "text",
  "01",
  "x".repeat(600),
  0,
  -1,
  0.5,
  Number.NaN,
  10_000,
  3_000_000_000,
  -1n,
  true,
  {},
  [],
  ["text"],
  [0.5],
  [null],
  new Uint8Array(),
  Option.none(),
  Option.some(""),
  Option.some("text"),
  Option.some("x".repeat(600)),
  Option.some(0.5),
  Option.some(3_000_000_000),
  Option.some(-1),
  Option.some(true),
  DateTime.unsafeMake(0),
  Option.some(DateTime.unsafeMake(0))
]

/** The entity with another value, valid or invalid, in one of its fields. */
const withField = <A extends object>(entity: A, field: string, value: unknown): A => ({ ...entity, [field]: value })

/** The number of changed entities in one run. */
const CHANGES = 100

/** A kind of entity, and the port that stores it. */
interface Kept<A extends object, I> {
  readonly schema: Schema.Schema<A, I>
  /** A new entity that refers to the given ones. */
  readonly fresh: (all: Related) => A
  readonly write: (entity: A) => Effect.Effect<void, { readonly _tag: string }, StoragePorts>
}

/** A kind of entity with keys. */
interface Found<A extends object, I> extends Kept<A, I> {
  readonly find: (entity: A) => Effect.Effect<Option.Option<A>, StorageError, StoragePorts>
  /** The fields of its key, and the fields that refer to other entities. */
  readonly keys: (entity: A) => Partial<A>
  /** Whether a second entity with the same key replaces the first. */
  readonly isReplaced: boolean
}

/** The contract of entities of every kind. */
export const entityContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("an entity that is written through a port", () => {
    it.layer(storage)((it) => {
      // All storages reject the same entities: those that violate their schema, although the types do not allow them.
      // Otherwise a storage could contain an entity that cannot be decoded.
      const takesValidEntitiesOnly = <A extends object, I>(port: string, { fresh, schema, write }: Kept<A, I>) => {
        const isValid = Schema.is(schema)
        const fields = Object.keys(fresh(related())).filter((field) => field !== "_tag")
        const change = FastCheck.record({
          field: FastCheck.constantFrom(...fields),
          value: FastCheck.constantFrom(...VALUES)
        })
        it.effect.prop(
          `${port} stores an entity if it matches its schema, and rejects it otherwise`,
          { changes: FastCheck.array(change, { minLength: CHANGES, maxLength: CHANGES }) },
          ({ changes }) =>
            Effect.gen(function*() {
              const all = related()
              yield* atomically(writeAll(all))
              for (const { field, value } of changes) {
                const entity = withField(fresh(all), field, value)
                const outcome = yield* Effect.either(write(entity))
                const told = Either.match(outcome, { onLeft: ({ _tag }) => _tag, onRight: () => "written" })
                expect([field, value, told]).toEqual([field, value, isValid(entity) ? "written" : "StorageError"])
              }
            }),
          { fastCheck: { numRuns: 1 } }
        )
      }

      const keepsEveryField = <A extends object, I>(port: string, kept: Found<A, I>) => {
        takesValidEntitiesOnly(port, kept)
        const { find, fresh, isReplaced, keys, schema, write } = kept
        const plain = plainData(schema)
        it.effect.prop(
          `${port} stores every field, and nothing is found before`,
          { first: arbitrary(schema), second: arbitrary(schema) },
          ({ first, second }) =>
            Effect.gen(function*() {
              const all = related()
              yield* atomically(writeAll(all))
              const own = keys(fresh(all))
              for (
                const entity of isReplaced
                  ? [{ ...first, ...own }, { ...second, ...own }]
                  : [{ ...first, ...own }]
              ) {
                yield* write(entity)
                expect(Option.map(yield* find(entity), plain)).toEqual(Option.some(plain(entity)))
              }
              expect(yield* find(fresh(all))).toEqual(Option.none())
            }),
          RUNS
        )
        it.effect.prop(
          `${port} stores U+FFFD for lone surrogates`,
          { given: malformedTexts(schema) },
          ({ given }) =>
            Effect.gen(function*() {
              const all = related()
              yield* atomically(writeAll(all))
              const entity = { ...given, ...keys(fresh(all)) }
              yield* write(entity)
              expect(Option.map(yield* find(entity), plain)).toEqual(Option.some(wellFormedIn(plain(entity))))
            }),
          RUNS
        )
      }

      keepsEveryField("ApplicationRepository.save", {
        schema: Application,
        fresh: () => Samples.application(),
        write: (entity) => Effect.flatMap(ApplicationRepository, ({ save }) => save(entity)),
        find: ({ id }) => Effect.flatMap(ApplicationRepository, ({ find }) => find(id)),
        keys: ({ id }) => ({ id }),
        isReplaced: true
      })
      takesValidEntitiesOnly("AuditLog.append", {
        schema: AuditRecord,
        fresh: () => Samples.auditRecord(),
        write: (entity) => Effect.flatMap(AuditLog, ({ append }) => append(entity))
      })
      takesValidEntitiesOnly("AvatarStore.put", {
        schema: Avatar,
        fresh: () => Samples.avatar(),
        write: (entity) => Effect.flatMap(AvatarStore, ({ put }) => put(entity))
      })
      keepsEveryField("ConsentRepository.save", {
        schema: Consent,
        fresh: () => Samples.consent(),
        write: (entity) => Effect.flatMap(ConsentRepository, ({ save }) => save(entity)),
        find: ({ applicationId, userId }) =>
          Effect.flatMap(ConsentRepository, ({ find }) => find(userId, applicationId)),
        keys: ({ userId, applicationId }) => ({ userId, applicationId }),
        isReplaced: true
      })
      keepsEveryField("ConsentRepository.insertCode", {
        schema: AuthorizationCode,
        fresh: () => Samples.code(),
        write: (entity) => Effect.flatMap(ConsentRepository, ({ insertCode }) => insertCode(entity)),
        find: ({ digest }) => Effect.flatMap(ConsentRepository, ({ findCode }) => findCode(digest)),
        keys: ({ digest }) => ({ digest }),
        isReplaced: false
      })
      keepsEveryField("ConsentRepository.insertGrant", {
        schema: AccessGrant,
        fresh: () => Samples.grant(),
        write: (entity) => Effect.flatMap(ConsentRepository, ({ insertGrant }) => insertGrant(entity)),
        find: ({ tokenDigest }) => Effect.flatMap(ConsentRepository, ({ findGrant }) => findGrant(tokenDigest)),
        keys: ({ tokenDigest }) => ({ tokenDigest }),
        isReplaced: false
      })
      takesValidEntitiesOnly("CredentialRepository.insert, a bot token", {
        schema: BotToken,
        fresh: ({ user }) => Samples.botToken({ userId: user.id }),
        write: (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity))
      })
      takesValidEntitiesOnly("CredentialRepository.insert, an admin key", {
        schema: AdminKey,
        fresh: () => Samples.adminKey(),
        write: (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity))
      })
      takesValidEntitiesOnly("EventLog.append", {
        schema: DomainEvent,
        fresh: () => Samples.event(),
        write: (entity) => Effect.flatMap(EventLog, ({ append }) => append(entity))
      })
      keepsEveryField("GuildRepository.save", {
        schema: Guild,
        fresh: () => Samples.guild(),
        write: (entity) => Effect.flatMap(GuildRepository, ({ save }) => save(entity)),
        find: ({ id }) => Effect.flatMap(GuildRepository, ({ find }) => find(id)),
        keys: ({ id }) => ({ id }),
        isReplaced: true
      })
      keepsEveryField("GuildRepository.saveRole", {
        schema: Role,
        fresh: ({ guild }) => Samples.role({ guildId: guild.id }),
        write: (entity) => Effect.flatMap(GuildRepository, ({ saveRole }) => saveRole(entity)),
        find: ({ id }) => Effect.flatMap(GuildRepository, ({ findRole }) => findRole(id)),
        keys: ({ id, guildId }) => ({ id, guildId }),
        isReplaced: true
      })
      keepsEveryField("GuildRepository.saveChannel", {
        schema: Channel,
        fresh: ({ guild }) => Samples.channel({ guildId: guild.id }),
        write: (entity) => Effect.flatMap(GuildRepository, ({ saveChannel }) => saveChannel(entity)),
        find: ({ id }) => Effect.flatMap(GuildRepository, ({ findChannel }) => findChannel(id)),
        keys: ({ id, guildId }) => ({ id, guildId }),
        isReplaced: true
      })
      takesValidEntitiesOnly("MembershipRepository.save", {
        schema: Membership,
        fresh: ({ membership }) => membership,
        write: (entity) => Effect.flatMap(MembershipRepository, ({ save }) => save(entity))
      })
      keepsEveryField("MessageRepository.insert", {
        schema: Message,
        fresh: ({ channel, guild }) => Samples.message({ channelId: channel.id, guildId: guild.id }),
        write: (entity) => Effect.flatMap(MessageRepository, ({ insert }) => insert(entity)),
        find: ({ id }) => Effect.flatMap(MessageRepository, ({ find }) => find(id)),
        keys: ({ id, channelId }) => ({ id, channelId }),
        isReplaced: false
      })
      keepsEveryField("ScheduledMessageRepository.insert", {
        schema: ScheduledMessage,
        fresh: ({ user }) => Samples.scheduledMessage({ authorId: user.id }),
        write: (entity) => Effect.flatMap(ScheduledMessageRepository, ({ insert }) => insert(entity)),
        find: ({ id }) => Effect.flatMap(ScheduledMessageRepository, ({ find }) => find(id)),
        keys: ({ id, authorId }) => ({ id, authorId }),
        isReplaced: false
      })
      takesValidEntitiesOnly("UserRepository.save", {
        schema: User,
        fresh: ({ user }) => user,
        write: (entity) => Effect.flatMap(UserRepository, ({ save }) => save(entity))
      })
      keepsEveryField("WebhookRepository.save", {
        schema: Webhook,
        fresh: ({ channel, guild }) => Samples.webhook({ channelId: channel.id, guildId: guild.id }),
        write: (entity) => Effect.flatMap(WebhookRepository, ({ save }) => save(entity)),
        find: ({ id }) => Effect.flatMap(WebhookRepository, ({ find }) => find(id)),
        keys: ({ id, channelId, tokenDigest }) => ({ id, channelId, tokenDigest }),
        isReplaced: true
      })
    })
  })
