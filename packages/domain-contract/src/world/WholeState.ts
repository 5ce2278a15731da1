import { Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { AuditRecord } from "@community-messaging/domain/audit/AuditRecord"
import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { Message } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { Consent } from "@community-messaging/domain/oauth2/Consent"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { plainData } from "../PlainData.ts"
import { searchMembers } from "../SearchSamples.ts"

const ALL = { after: Option.none(), limit: 10_000 }

const plain = {
  auditRecord: plainData(AuditRecord),
  consent: plainData(Consent),
  credential: plainData(Credential),
  event: plainData(DomainEvent),
  membership: plainData(Membership),
  message: plainData(Message),
  role: plainData(Role),
  scheduledMessage: plainData(ScheduledMessage),
  user: plainData(User),
  webhook: plainData(Webhook)
}

const guilds = Effect.gen(function*() {
  const repository = yield* GuildRepository
  const memberships = yield* MembershipRepository
  const messages = yield* MessageRepository
  return yield* Effect.forEach(yield* repository.list(ALL), (guild) =>
    Effect.gen(function*() {
      const channels = yield* repository.channels(guild.id)
      const found = yield* searchMembers(guild.id, MemberQuery.make({ limit: 100, sortOrder: "asc" }))
      return {
        guild,
        channels,
        roles: (yield* repository.roles(guild.id)).map(plain.role),
        memberships: (yield* memberships.list({ guildId: guild.id, ...ALL })).map(plain.membership),
        found: found.members.map(({ userId, username }) => ({ userId, username })),
        messages: yield* Effect.forEach(channels, ({ id }) =>
          Effect.map(
            messages.inChannel({ channelId: id, before: Option.none(), limit: ALL.limit }),
            (inChannel) => inChannel.map(plain.message)
          ))
      }
    }))
})

/** All accounts, guilds and messages as plain data, to prove that an effect changes nothing. */
export const state = Effect.gen(function*() {
  return {
    avatars: yield* (yield* AvatarStore).list(ALL),
    consents: (yield* (yield* ConsentRepository).list(ALL)).map(plain.consent),
    credentials: (yield* (yield* CredentialRepository).list(ALL)).map(plain.credential),
    guilds: yield* guilds,
    scheduledMessages: (yield* (yield* ScheduledMessageRepository).list(ALL)).map(plain.scheduledMessage),
    users: (yield* (yield* UserRepository).list(ALL)).map(plain.user),
    webhooks: (yield* (yield* WebhookRepository).list(ALL)).map(plain.webhook)
  }
})

/** All stored data as plain data, the logs included, to prove that a failed effect changes nothing. */
export const everything = Effect.gen(function*() {
  return {
    ...(yield* state),
    auditRecords: (yield* (yield* AuditLog).read(0, ALL.limit)).map(({ record }) => plain.auditRecord(record)),
    events: (yield* EventStream.read(0, ALL.limit)).map(({ event }) => plain.event(event))
  }
})

/** The failure of the effect, which must change nothing. */
export const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* everything
    const failure = yield* Effect.flip(effect)
    expect(yield* everything).toEqual(before)
    return failure
  })
