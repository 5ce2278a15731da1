import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Context, Effect } from "effect"

/** Writes to the tested port, and to memory if that succeeds. */
const both = <A, E, R, E2>(tested: Effect.Effect<A, E, R>, memory: Effect.Effect<unknown, E2>) =>
  Effect.zipLeft(tested, Effect.ignore(memory))

/**
 * The storage, with a copy in memory of the entities that the tested ports store. So the other ports, which are in memory,
 * reject references to accounts and guilds that do not exist.
 */
export const withReferences = (
  storage: Context.Context<StoragePorts>,
  memory: Context.Context<StoragePorts>,
  tested: ReadonlySet<string>
): Context.Context<StoragePorts> => {
  const users = Context.get(storage, UserRepository)
  const guilds = Context.get(storage, GuildRepository)
  const memberships = Context.get(storage, MembershipRepository)
  const applications = Context.get(storage, ApplicationRepository)
  const avatars = Context.get(storage, AvatarStore)
  const webhooks = Context.get(storage, WebhookRepository)
  const inMemory = {
    users: Context.get(memory, UserRepository),
    guilds: Context.get(memory, GuildRepository),
    memberships: Context.get(memory, MembershipRepository),
    applications: Context.get(memory, ApplicationRepository),
    avatars: Context.get(memory, AvatarStore),
    webhooks: Context.get(memory, WebhookRepository)
  }
  const all = Context.empty().pipe(
    Context.add(UserRepository, {
      ...users,
      save: (user) => both(users.save(user), inMemory.users.save(user)),
      saveWithoutNewEmail: (user) => both(users.saveWithoutNewEmail(user), inMemory.users.saveWithoutNewEmail(user)),
      saveAll: (accounts) => both(users.saveAll(accounts), inMemory.users.saveAll(accounts))
    }),
    Context.add(GuildRepository, {
      ...guilds,
      save: (guild) => both(guilds.save(guild), inMemory.guilds.save(guild)),
      saveRole: (role) => both(guilds.saveRole(role), inMemory.guilds.saveRole(role)),
      saveChannel: (channel) => both(guilds.saveChannel(channel), inMemory.guilds.saveChannel(channel))
    }),
    Context.add(MembershipRepository, {
      ...memberships,
      save: (member) => both(memberships.save(member), inMemory.memberships.save(member)),
      remove: (guildId, userId) =>
        both(memberships.remove(guildId, userId), inMemory.memberships.remove(guildId, userId))
    }),
    Context.add(ApplicationRepository, {
      ...applications,
      save: (application) => both(applications.save(application), inMemory.applications.save(application))
    }),
    Context.add(AvatarStore, { ...avatars, put: (avatar) => both(avatars.put(avatar), inMemory.avatars.put(avatar)) }),
    Context.add(WebhookRepository, {
      ...webhooks,
      save: (webhook) => both(webhooks.save(webhook), inMemory.webhooks.save(webhook))
    })
  )
  return REFERRED.reduce(
    (known, tag) => tested.has(tag.key) ? Context.merge(known, Context.pick(tag)(all)) : known,
    storage
  )
}

/** The ports of the entities that other entities refer to. */
const REFERRED = [
  UserRepository,
  GuildRepository,
  MembershipRepository,
  ApplicationRepository,
  AvatarStore,
  WebhookRepository
] as const
