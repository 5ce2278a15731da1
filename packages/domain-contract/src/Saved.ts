import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { Channel } from "@community-messaging/domain/guild/Channel"
import type { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { Role } from "@community-messaging/domain/guild/Role"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Effect } from "effect"
import * as Samples from "./Samples.ts"

/* Saves entities that others refer to, for tests of the others. */

/** Saves an account. */
export const user = (changes: Partial<User> = {}) =>
  Effect.gen(function*() {
    const sample = Samples.user(changes)
    yield* (yield* UserRepository).save(sample)
    return sample
  })

/** Saves a guild. */
export const guild = (changes: Partial<Guild> = {}) =>
  Effect.gen(function*() {
    const sample = Samples.guild(changes)
    yield* (yield* GuildRepository).save(sample)
    return sample
  })

/** Saves a channel, of a new guild unless one is given. */
export const channel = (changes: Partial<Channel> = {}) =>
  Effect.gen(function*() {
    const guildId = changes.guildId ?? (yield* guild()).id
    const sample = Samples.channel({ ...changes, guildId })
    yield* (yield* GuildRepository).saveChannel(sample)
    return sample
  })

/** Saves a role. */
export const role = (changes: Partial<Role> = {}) =>
  Effect.gen(function*() {
    const sample = Samples.role(changes)
    yield* (yield* GuildRepository).saveRole(sample)
    return sample
  })

/** Saves a membership. Its account and its guild must exist. */
export const membership = (changes: Partial<Membership> = {}) =>
  Effect.gen(function*() {
    const sample = Samples.membership(changes)
    yield* (yield* MembershipRepository).save(sample)
    return sample
  })

/** Saves a webhook, of a new channel unless one is given. */
export const webhook = (changes: Partial<Webhook> = {}) =>
  Effect.gen(function*() {
    const channelId = changes.channelId ?? (yield* channel()).id
    const sample = Samples.webhook({ ...changes, channelId })
    yield* (yield* WebhookRepository).save(sample)
    return sample
  })
