import { Authentication } from "@community-messaging/domain/access/Authentication"
import type { Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import type { UserId } from "@community-messaging/domain/account/User"
import { COMMAND_LINE } from "@community-messaging/domain/audit/AuditRecord"
import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Option, Stream } from "effect"
import { pages } from "../transfer/RecordKind.ts"
import type { DemoFacts, DemoRole } from "./DemoFacts.ts"

/** The name of the demo's admin key, by which the demo finds it. */
const KEY_NAME = "demo"

const WEBHOOK_NAME = WebhookName.make("Build lights")

/**
 * Revokes the matching credentials that are still valid but no longer used, because their tokens are lost or replaced.
 */
const revokeOld = (role: DemoRole, fits: (credential: Credential) => boolean) =>
  Effect.gen(function*() {
    if (role === "guest") return
    const credentials = yield* Credentials
    const repository = yield* CredentialRepository
    yield* pages(repository.list, ({ id }) => id).pipe(
      Stream.filter((credential) => Option.isNone(credential.revokedAt) && fits(credential)),
      Stream.runForEach(({ id }) => credentials.revoke(id, COMMAND_LINE))
    )
  }).pipe(Effect.catchTag("UnknownCredential", (error) => Effect.die(error)))

/** Returns the bot's token if it is still valid; otherwise issues a new one. An owner then revokes all earlier ones. */
export const botToken = (userId: UserId, facts: Option.Option<DemoFacts>, role: DemoRole) =>
  Effect.gen(function*() {
    const authentication = yield* Authentication
    if (Option.isSome(facts)) {
      const works = yield* authentication.bot(facts.value.bot_token).pipe(
        Effect.map((user) => user.id === userId),
        Effect.catchTags({
          InvalidCredentials: () => Effect.succeed(false),
          AccountScheduledForDeletion: () => Effect.succeed(false)
        })
      )
      if (works) return facts.value.bot_token
    }
    yield* revokeOld(role, (credential) => credential._tag === "BotToken" && credential.userId === userId)
    const credentials = yield* Credentials
    return (yield* credentials.issueBotToken(userId, COMMAND_LINE)).token
  }).pipe(Effect.catchTags({ NotABot: (error) => Effect.die(error), UnknownUser: (error) => Effect.die(error) }))

/**
 * Returns the admin key if it is still valid; otherwise issues a new one with all rights. An owner then revokes earlier
 * ones.
 */
export const adminKey = (facts: Option.Option<DemoFacts>, role: DemoRole) =>
  Effect.gen(function*() {
    const authentication = yield* Authentication
    if (Option.isSome(facts)) {
      const works = yield* authentication.admin(facts.value.admin_key).pipe(
        Effect.as(true),
        Effect.catchTag("InvalidCredentials", () => Effect.succeed(false))
      )
      if (works) return facts.value.admin_key
    }
    yield* revokeOld(role, (credential) => credential._tag === "AdminKey" && credential.name === KEY_NAME)
    const credentials = yield* Credentials
    return (yield* credentials.issueAdminKey({ name: KEY_NAME, acls: ["*"] }, COMMAND_LINE)).token
  })

/**
 * Returns the channel's webhook with its token if the token is still valid. Otherwise an owner replaces the token of
 * the webhook, and a guest creates another webhook.
 */
export const webhook = (channelId: ChannelId, facts: Option.Option<DemoFacts>, role: DemoRole) =>
  Effect.gen(function*() {
    const webhooks = yield* Webhooks
    const repository = yield* WebhookRepository
    if (Option.isSome(facts)) {
      const known = facts.value.webhook
      const works = yield* webhooks.authenticate(known.id, known.token).pipe(
        Effect.map((found) => found.channelId === channelId),
        Effect.catchTags({
          UnknownWebhook: () => Effect.succeed(false),
          WebhookTokenMismatch: () => Effect.succeed(false)
        })
      )
      if (works) return known
    }
    const there = yield* pages(repository.list, ({ id }) => id).pipe(
      Stream.filter((candidate) => candidate.channelId === channelId),
      Stream.runHead
    )
    if (role === "guest" || Option.isNone(there)) {
      const created = yield* webhooks.create({ channelId, name: WEBHOOK_NAME }, COMMAND_LINE)
      return { id: created.webhook.id, token: created.token }
    }
    const { token } = yield* webhooks.rotateToken(there.value.id, COMMAND_LINE)
    return { id: there.value.id, token }
  }).pipe(
    Effect.catchTags({ UnknownChannel: (error) => Effect.die(error), UnknownWebhook: (error) => Effect.die(error) })
  )
