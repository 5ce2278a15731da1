import { AdminKey, BotToken } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
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
import { expect, layer } from "@effect/vitest"
import { Array as Arrays, Context, DateTime, Effect, FastCheck, Layer, Option, Schema } from "effect"
import { arbitrary, FEW_RUNS, malformedTexts, RUNS } from "./Arbitraries.ts"
import { atomically } from "./Atomically.ts"
import { type Related, related, writeAll } from "./EveryPort.ts"
import * as FreshIds from "./FreshIds.ts"
import { type Port, portContract } from "./OwnPorts.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

/** Entities that exist: written once for all tests of a storage. */
class Existing extends Context.Tag("EntityContract/Existing")<Existing, Related>() {
  static readonly layer = Layer.effect(Existing, Effect.tap(Effect.sync(related), (all) => atomically(writeAll(all))))
}

/** Entities that exist, with a new stranger each time: an account is a member of a guild at most once. */
const existing = Effect.zipWith(Existing, Effect.suspend(() => Saved.user()), (all, stranger) => ({ ...all, stranger }))

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
  readonly port: Port
  readonly schema: Schema.Schema<A, I>
  /** A new entity that refers to the given ones. */
  readonly fresh: (all: Related) => A
  readonly write: (entity: A) => Effect.Effect<void, { readonly _tag: string }, StoragePorts>
}

/** A kind of entity with keys. */
interface Found<A extends object, I> extends Kept<A, I> {
  readonly find: (entity: A) => Effect.Effect<Option.Option<A>, StorageError, StoragePorts>
  /** The fields of its key, and the fields that refer to other entities or are unique, for a generated entity. */
  readonly keys: (entity: A, generated: A) => Partial<A>
  /** What happens to a second entity with the same key. */
  readonly second: "replaces the first" | "is rejected" | "is ignored"
  /** The fields that refer to entities that must exist. */
  readonly references?: ReadonlyArray<keyof A & string>
}

/** Whether the entity was written, or the tag of the failure. */
const outcomeOf = (written: Effect.Effect<void, { readonly _tag: string }, StoragePorts>) =>
  Effect.match(written, { onFailure: ({ _tag }) => _tag, onSuccess: () => "written" })

/** The generated address, which no other account has. */
const ownEmail = Option.map((address: EmailAddress) => EmailAddress.make(`${FreshIds.snowflake()}.${address}`))

/**
 * The contract of the entities that the ports of a layer store: of every field, of entities that violate their schema, of a
 * second entity with the same key, and of references.
 */
export const entityContract = portContract<never>("an entity that is written through a port", ({ has, storage }) => {
  layer(Layer.provideMerge(Existing.layer, storage))((it) => {
    // All storages reject the same entities: those that violate their schema, although the types do not allow them.
    // Otherwise a storage could contain an entity that cannot be decoded.
    const takesValidEntitiesOnly = <A extends object, I>(name: string, { fresh, port, schema, write }: Kept<A, I>) => {
      if (!has(port)) return
      const isValid = Schema.is(schema)
      const fields = Object.keys(fresh(related())).filter((field) => field !== "_tag")
      const change = FastCheck.record({
        field: FastCheck.constantFrom(...fields),
        value: FastCheck.constantFrom(...VALUES)
      })
      it.effect.prop(
        `${name} stores an entity if it matches its schema, and rejects it otherwise`,
        { changes: FastCheck.array(change, { minLength: CHANGES, maxLength: CHANGES }) },
        ({ changes }) =>
          Effect.gen(function*() {
            const all = yield* existing
            for (const { field, value } of changes) {
              const entity = withField(fresh(all), field, value)
              const outcome = yield* outcomeOf(write(entity))
              expect([field, value, outcome]).toEqual([field, value, isValid(entity) ? "written" : "StorageError"])
            }
          }),
        { fastCheck: { numRuns: 1 } }
      )
    }

    const keepsEveryField = <A extends object, I>(name: string, kept: Found<A, I>) => {
      if (!has(kept.port)) return
      takesValidEntitiesOnly(name, kept)
      const { find, fresh, keys, references = [], schema, second: whatOfSecond, write } = kept
      const plain = plainData(schema)
      it.effect.prop(
        `${name} stores every field, and nothing is found before; a second entity with the same key ${whatOfSecond}`,
        { first: arbitrary(schema), second: arbitrary(schema) },
        (generated) =>
          Effect.gen(function*() {
            const all = yield* existing
            const own = fresh(all)
            const first = { ...generated.first, ...keys(own, generated.first) }
            const second = whatOfSecond === "is ignored"
              ? first
              : { ...generated.second, ...keys(own, generated.second) }
            expect(yield* find(first)).toEqual(Option.none())
            yield* write(first)
            expect(Option.map(yield* find(first), plain)).toEqual(Option.some(plain(first)))
            expect(yield* outcomeOf(write(second))).toBe(whatOfSecond === "is rejected" ? "StorageError" : "written")
            const stays = whatOfSecond === "replaces the first" ? second : first
            expect(Option.map(yield* find(first), plain)).toEqual(Option.some(plain(stays)))
          }),
        RUNS
      )
      it.effect.prop(
        `${name} stores U+FFFD for lone surrogates`,
        { given: malformedTexts(schema) },
        ({ given }) =>
          Effect.gen(function*() {
            const all = yield* existing
            const entity = { ...given, ...keys(fresh(all), given) }
            yield* write(entity)
            expect(Option.map(yield* find(entity), plain)).toEqual(Option.some(wellFormedIn(plain(entity))))
          }),
        FEW_RUNS
      )
      for (const field of references) {
        it.effect(`${name} rejects an entity whose ${field} does not exist`, () =>
          Effect.gen(function*() {
            const all = yield* existing
            const entity = withField(fresh(all), field, FreshIds.snowflake())
            expect(yield* outcomeOf(write(entity))).toBe("StorageError")
            expect(yield* find(entity)).toEqual(Option.none())
          }))
      }
    }

    keepsEveryField("ApplicationRepository.save", {
      port: ApplicationRepository,
      schema: Application,
      fresh: () => Samples.application(),
      write: (entity) => Effect.flatMap(ApplicationRepository, ({ save }) => save(entity)),
      find: ({ id }) => Effect.flatMap(ApplicationRepository, ({ find }) => find(id)),
      keys: ({ id }) => ({ id }),
      second: "replaces the first"
    })
    takesValidEntitiesOnly("AuditLog.append", {
      port: AuditLog,
      schema: AuditRecord,
      fresh: () => Samples.auditRecord(),
      write: (entity) => Effect.flatMap(AuditLog, ({ append }) => append(entity))
    })
    keepsEveryField("AvatarStore.put", {
      port: AvatarStore,
      schema: Avatar,
      fresh: () => Samples.avatar(),
      write: (entity) => Effect.flatMap(AvatarStore, ({ put }) => put(entity)),
      find: ({ hash }) => Effect.flatMap(AvatarStore, ({ find }) => find(hash)),
      keys: ({ hash }) => ({ hash }),
      second: "is ignored"
    })
    keepsEveryField("ConsentRepository.save", {
      port: ConsentRepository,
      schema: Consent,
      fresh: () => Samples.consent(),
      write: (entity) => Effect.flatMap(ConsentRepository, ({ save }) => save(entity)),
      find: ({ applicationId, userId }) => Effect.flatMap(ConsentRepository, ({ find }) => find(userId, applicationId)),
      keys: ({ userId, applicationId }) => ({ userId, applicationId }),
      second: "replaces the first"
    })
    keepsEveryField("ConsentRepository.insertCode", {
      port: ConsentRepository,
      schema: AuthorizationCode,
      fresh: () => Samples.code(),
      write: (entity) => Effect.flatMap(ConsentRepository, ({ insertCode }) => insertCode(entity)),
      find: ({ digest }) => Effect.flatMap(ConsentRepository, ({ findCode }) => findCode(digest)),
      keys: ({ digest }) => ({ digest }),
      second: "is rejected"
    })
    keepsEveryField("ConsentRepository.insertGrant", {
      port: ConsentRepository,
      schema: AccessGrant,
      fresh: () => Samples.grant(),
      write: (entity) => Effect.flatMap(ConsentRepository, ({ insertGrant }) => insertGrant(entity)),
      find: ({ tokenDigest }) => Effect.flatMap(ConsentRepository, ({ findGrant }) => findGrant(tokenDigest)),
      keys: ({ tokenDigest }) => ({ tokenDigest }),
      second: "is rejected"
    })
    keepsEveryField("CredentialRepository.insert, a bot token", {
      port: CredentialRepository,
      schema: BotToken,
      fresh: ({ user }) => Samples.botToken({ userId: user.id }),
      write: (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity)),
      find: ({ id }) =>
        Effect.map(
          Effect.flatMap(CredentialRepository, ({ find }) => find(id)),
          Option.filter(Schema.is(BotToken))
        ),
      keys: ({ id, userId }) => ({ id, digest: FreshIds.digest(), userId }),
      second: "is rejected",
      references: ["userId"]
    })
    keepsEveryField("CredentialRepository.insert, an admin key", {
      port: CredentialRepository,
      schema: AdminKey,
      fresh: () => Samples.adminKey(),
      write: (entity) => Effect.flatMap(CredentialRepository, ({ insert }) => insert(entity)),
      find: ({ id }) =>
        Effect.map(
          Effect.flatMap(CredentialRepository, ({ find }) => find(id)),
          Option.filter(Schema.is(AdminKey))
        ),
      keys: ({ id }) => ({ id, digest: FreshIds.digest() }),
      second: "is rejected"
    })
    takesValidEntitiesOnly("EventLog.append", {
      port: EventLog,
      schema: DomainEvent,
      fresh: () => Samples.event(),
      write: (entity) => Effect.flatMap(EventLog, ({ append }) => append(entity))
    })
    keepsEveryField("GuildRepository.save", {
      port: GuildRepository,
      schema: Guild,
      fresh: () => Samples.guild(),
      write: (entity) => Effect.flatMap(GuildRepository, ({ save }) => save(entity)),
      find: ({ id }) => Effect.flatMap(GuildRepository, ({ find }) => find(id)),
      keys: ({ id }) => ({ id }),
      second: "replaces the first"
    })
    keepsEveryField("GuildRepository.saveRole", {
      port: GuildRepository,
      schema: Role,
      fresh: ({ guild }) => Samples.role({ guildId: guild.id }),
      write: (entity) => Effect.flatMap(GuildRepository, ({ saveRole }) => saveRole(entity)),
      find: ({ id }) => Effect.flatMap(GuildRepository, ({ findRole }) => findRole(id)),
      keys: ({ id, guildId }) => ({ id, guildId }),
      second: "replaces the first",
      references: ["guildId"]
    })
    keepsEveryField("GuildRepository.saveChannel", {
      port: GuildRepository,
      schema: Channel,
      fresh: ({ guild }) => Samples.channel({ guildId: guild.id }),
      write: (entity) => Effect.flatMap(GuildRepository, ({ saveChannel }) => saveChannel(entity)),
      find: ({ id }) => Effect.flatMap(GuildRepository, ({ findChannel }) => findChannel(id)),
      keys: ({ id, guildId }) => ({ id, guildId }),
      second: "replaces the first",
      references: ["guildId"]
    })
    keepsEveryField("MembershipRepository.save", {
      port: MembershipRepository,
      schema: Membership,
      fresh: ({ guild, stranger }) => Samples.membership({ guildId: guild.id, userId: stranger.id }),
      write: (entity) => Effect.flatMap(MembershipRepository, ({ save }) => save(entity)),
      find: ({ guildId, userId }) => Effect.flatMap(MembershipRepository, ({ find }) => find(guildId, userId)),
      keys: ({ guildId, userId }) => ({ guildId, userId }),
      second: "replaces the first",
      references: ["guildId", "userId"]
    })
    keepsEveryField("MessageRepository.insert", {
      port: MessageRepository,
      schema: Message,
      fresh: ({ channel, guild }) => Samples.message({ channelId: channel.id, guildId: guild.id }),
      write: (entity) => Effect.flatMap(MessageRepository, ({ insert }) => insert(entity)),
      find: ({ id }) => Effect.map(Effect.flatMap(MessageRepository, ({ findAll }) => findAll([id])), Arrays.head),
      keys: ({ id, channelId }) => ({ id, channelId }),
      second: "is rejected",
      references: ["channelId"]
    })
    keepsEveryField("ScheduledMessageRepository.insert", {
      port: ScheduledMessageRepository,
      schema: ScheduledMessage,
      fresh: ({ user }) => Samples.scheduledMessage({ authorId: user.id }),
      write: (entity) => Effect.flatMap(ScheduledMessageRepository, ({ insert }) => insert(entity)),
      find: ({ id }) => Effect.flatMap(ScheduledMessageRepository, ({ find }) => find(id)),
      keys: ({ id, authorId }) => ({ id, authorId }),
      second: "is rejected",
      references: ["authorId"]
    })
    keepsEveryField("UserRepository.save", {
      port: UserRepository,
      schema: User,
      fresh: () => Samples.user(),
      write: (entity) => Effect.flatMap(UserRepository, ({ save }) => save(entity)),
      find: ({ id }) => Effect.flatMap(UserRepository, ({ find }) => find(id)),
      keys: ({ id }, { email }) => ({ id, email: ownEmail(email) }),
      second: "replaces the first"
    })
    keepsEveryField("WebhookRepository.save", {
      port: WebhookRepository,
      schema: Webhook,
      fresh: ({ channel, guild }) => Samples.webhook({ channelId: channel.id, guildId: guild.id }),
      write: (entity) => Effect.flatMap(WebhookRepository, ({ save }) => save(entity)),
      find: ({ id }) => Effect.flatMap(WebhookRepository, ({ find }) => find(id)),
      keys: ({ id, channelId, tokenDigest }) => ({ id, channelId, tokenDigest }),
      second: "replaces the first",
      references: ["channelId"]
    })
  })
})
