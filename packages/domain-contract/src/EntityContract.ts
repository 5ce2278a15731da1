import { Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { DomainEvent } from "@community-messaging/domain/DomainEvent"
import { EventLog } from "@community-messaging/domain/EventLog"
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
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Avatar } from "@community-messaging/domain/webhook/Avatar"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Either, FastCheck, type Layer, Option, Schema } from "effect"
import { RUNS } from "./Arbitraries.ts"
import { atomically } from "./Atomically.ts"
import { type Related, related, writeAll } from "./EveryPort.ts"
import * as Samples from "./Samples.ts"

/** Values that fit some fields and not others. */
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
  Option.some(-1),
  Option.some(true),
  DateTime.unsafeMake(0),
  Option.some(DateTime.unsafeMake(0))
]

/** The entity with another value in one of its fields, which may fit or not. */
const withField = <A extends object>(entity: A, field: string, value: unknown): A => ({ ...entity, [field]: value })

/**
 * That the schema of an entity decides what is stored, and not the storage: whoever goes round the types is refused by all
 * alike, before anything is written that nobody could read.
 */
export const entityContract = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("what is written through a port", () => {
    it.layer(storage)((it) => {
      const takesValidEntitiesOnly = <A extends object, I>(
        what: string,
        schema: Schema.Schema<A, I>,
        fresh: (all: Related) => A,
        write: (entity: A) => Effect.Effect<void, { readonly _tag: string }, StoragePorts>
      ) => {
        const isValid = Schema.is(schema)
        const fields = Object.keys(fresh(related())).filter((field) => field !== "_tag")
        it.effect.prop(
          `${what} takes an entity that fits its schema, and no other`,
          { field: FastCheck.constantFrom(...fields), value: FastCheck.constantFrom(...VALUES) },
          ({ field, value }) =>
            Effect.gen(function*() {
              const all = related()
              yield* atomically(writeAll(all))
              const entity = withField(fresh(all), field, value)
              const outcome = yield* Effect.either(write(entity))
              const told = Either.match(outcome, { onLeft: ({ _tag }) => _tag, onRight: () => "written" })
              expect([field, value, told]).toEqual([field, value, isValid(entity) ? "written" : "StorageError"])
            }),
          { fastCheck: { ...RUNS.fastCheck, numRuns: 100 } }
        )
      }

      takesValidEntitiesOnly(
        "ApplicationRepository.save",
        Application,
        () => Samples.application(),
        (entity) => Effect.flatMap(ApplicationRepository, ({ save }) => save(entity))
      )
      takesValidEntitiesOnly(
        "AuditLog.append",
        AuditRecord,
        () => Samples.auditRecord(),
        (entity) => Effect.flatMap(AuditLog, ({ append }) => append(entity))
      )
      takesValidEntitiesOnly(
        "AvatarStore.put",
        Avatar,
        () => Samples.avatar(),
        (entity) => Effect.flatMap(AvatarStore, ({ put }) => put(entity))
      )
      takesValidEntitiesOnly(
        "ConsentRepository.save",
        Consent,
        () => Samples.consent(),
        (entity) => Effect.flatMap(ConsentRepository, ({ save }) => save(entity))
      )
      takesValidEntitiesOnly(
        "ConsentRepository.insertCode",
        AuthorizationCode,
        () => Samples.code(),
        (entity) => Effect.flatMap(ConsentRepository, ({ insertCode }) => insertCode(entity))
      )
      takesValidEntitiesOnly(
        "ConsentRepository.insertGrant",
        AccessGrant,
        () => Samples.grant(),
        (entity) => Effect.flatMap(ConsentRepository, ({ insertGrant }) => insertGrant(entity))
      )
      takesValidEntitiesOnly(
        "CredentialRepository.insert, a bot token",
        Credential,
        ({ user }) => Samples.botToken({ userId: user.id }),
        (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity))
      )
      takesValidEntitiesOnly(
        "CredentialRepository.insert, an admin key",
        Credential,
        () => Samples.adminKey(),
        (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity))
      )
      takesValidEntitiesOnly(
        "EventLog.append",
        DomainEvent,
        () => Samples.event(),
        (entity) => Effect.flatMap(EventLog, ({ append }) => append(entity))
      )
      takesValidEntitiesOnly(
        "GuildRepository.save",
        Guild,
        () => Samples.guild(),
        (entity) => Effect.flatMap(GuildRepository, ({ save }) => save(entity))
      )
      takesValidEntitiesOnly(
        "GuildRepository.saveRole",
        Role,
        ({ guild }) => Samples.role({ guildId: guild.id }),
        (entity) => Effect.flatMap(GuildRepository, ({ saveRole }) => saveRole(entity))
      )
      takesValidEntitiesOnly(
        "GuildRepository.saveChannel",
        Channel,
        ({ guild }) => Samples.channel({ guildId: guild.id }),
        (entity) => Effect.flatMap(GuildRepository, ({ saveChannel }) => saveChannel(entity))
      )
      takesValidEntitiesOnly(
        "MembershipRepository.save",
        Membership,
        ({ membership }) => membership,
        (entity) => Effect.flatMap(MembershipRepository, ({ save }) => save(entity))
      )
      takesValidEntitiesOnly(
        "MessageRepository.insert",
        Message,
        ({ channel, guild }) => Samples.message({ channelId: channel.id, guildId: guild.id }),
        (entity) => Effect.flatMap(MessageRepository, ({ insert }) => insert(entity))
      )
      takesValidEntitiesOnly(
        "ScheduledMessageRepository.insert",
        ScheduledMessage,
        ({ user }) => Samples.scheduledMessage({ authorId: user.id }),
        (entity) => Effect.flatMap(ScheduledMessageRepository, ({ insert }) => insert(entity))
      )
      takesValidEntitiesOnly(
        "UserRepository.save",
        User,
        ({ user }) => user,
        (entity) => Effect.flatMap(UserRepository, ({ save }) => save(entity))
      )
      takesValidEntitiesOnly(
        "WebhookRepository.save",
        Webhook,
        ({ webhook }) => webhook,
        (entity) => Effect.flatMap(WebhookRepository, ({ save }) => save(entity))
      )
    })
  })
