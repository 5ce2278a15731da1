import type { AuthenticatedBot } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { DaysUntilDeletion } from "@community-messaging/domain/account/DeletionSchedule"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { DeletionReasonCode, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { WITHOUT_VALIDATION } from "@community-messaging/domain/shared-kernel/WithoutValidation"
import * as CodeHostEvent from "@community-messaging/domain/webhook/code-host/CodeHostEvent"
import type { Delivery } from "@community-messaging/domain/webhook/Delivery"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import type { Headers } from "@community-messaging/domain/webhook/EventTable"
import { cleanName, type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as AccountsHandlers from "@community-messaging/http-adapter/accounts/Handlers"
import * as GuildMembersHandlers from "@community-messaging/http-adapter/guild-members/Handlers"
import * as OAuth2Handlers from "@community-messaging/http-adapter/oauth2/Handlers"
import * as ScheduledMessagesHandlers from "@community-messaging/http-adapter/scheduled-messages/Handlers"
import * as WebhooksHandlers from "@community-messaging/http-adapter/webhooks/Handlers"
import { Effect, Option, Redacted } from "effect"
import type * as Bodies from "./Bodies.ts"
import { refusing } from "./Refused.ts"

/**
 * The operations of Fastify's server, after authentication and validation. They use the service's own handlers, so that it
 * differs from ours in HTTP, validation and serialisation alone.
 */
export const make = Effect.gen(function*() {
  const oauth2 = yield* OAuth2Handlers.make(Option.none())
  const scheduledMessages = yield* ScheduledMessagesHandlers.make
  const guildMembers = yield* GuildMembersHandlers.make
  const administration = yield* AccountsHandlers.make
  const webhooks = yield* WebhooksHandlers.make
  const { post } = yield* Webhooks

  const notify = (webhook: Webhook, delivery: Delivery) =>
    refusing(Effect.orDie(Effect.asVoid(post(webhook, delivery))))

  return {
    /** API reference, Grant OAuth2 consent. */
    grantConsent: (caller: AuthenticatedBot, body: Bodies.Consent) =>
      refusing(oauth2.grantConsent({
        caller,
        payload: {
          clientId: ApplicationId.make(body.client_id, WITHOUT_VALIDATION),
          scope: body.scope,
          responseType: Option.fromNullable(body.response_type),
          redirectUri: Option.fromNullable(body.redirect_uri),
          state: Option.fromNullable(body.state),
          permissions: Option.map(
            Option.fromNullable(body.permissions),
            (permissions) => Permissions.make(BigInt(permissions), WITHOUT_VALIDATION)
          ),
          guildId: Option.map(Option.fromNullable(body.guild_id), (id) => GuildId.make(id, WITHOUT_VALIDATION))
        }
      })),

    /** API reference, List scheduled messages. */
    listScheduledMessages: (caller: AuthenticatedBot, status: ReadonlyArray<ScheduledMessageStatus>) =>
      refusing(scheduledMessages.list({ caller, urlParams: { status } })),

    /** API reference, Search guild members. */
    searchMembers: (caller: AuthenticatedBot, guildId: string, payload: Bodies.MemberSearch) =>
      refusing(guildMembers.search({ caller, path: { guild_id: GuildId.make(guildId, WITHOUT_VALIDATION) }, payload })),

    /** API reference, Schedule account deletion. */
    scheduleDeletion: (caller: AdminKey, body: Bodies.ScheduleDeletion) =>
      refusing(administration.scheduleDeletion({
        caller,
        payload: {
          userId: UserId.make(body.user_id, WITHOUT_VALIDATION),
          reasonCode: DeletionReasonCode.make(body.reason_code, WITHOUT_VALIDATION),
          publicReason: Option.fromNullable(body.public_reason),
          daysUntilDeletion: Option.map(
            Option.fromNullable(body.days_until_deletion),
            (days) => DaysUntilDeletion.make(days, WITHOUT_VALIDATION)
          )
        }
      })),

    /** API reference, Change user email. */
    changeEmail: (caller: AdminKey, body: Bodies.ChangeEmail) =>
      refusing(administration.changeEmail({
        caller,
        payload: {
          userId: UserId.make(body.user_id, WITHOUT_VALIDATION),
          email: EmailAddress.make(body.email.trim(), WITHOUT_VALIDATION)
        }
      })),

    /** API reference, Execute code-hosting webhook. */
    executeCodeHost: (webhook: Webhook, headers: Headers, { commits, ...body }: Bodies.CodeHost) =>
      notify(
        webhook,
        CodeHostEvent.delivery(headers, { ...body, commits: { first: commits ?? [], total: commits?.length ?? 0 } })
      ),

    /** API reference, Execute error-tracking webhook. */
    executeErrorTracker: (webhook: Webhook, headers: Headers, body: Bodies.ErrorTracker) =>
      notify(webhook, ErrorTrackerEmbed.delivery(headers, body)),

    /** API reference, Update webhook with token. */
    updateWebhook: (webhook: Webhook, token: string, body: Bodies.UpdateWebhook) =>
      refusing(webhooks.update({
        caller: { webhook, token: Redacted.make(token) },
        path: { webhook_id: webhook.id, token },
        payload: {
          ...(body.name !== undefined && { name: WebhookName.make(cleanName(body.name), WITHOUT_VALIDATION) }),
          ...(body.avatar !== undefined && { avatar: body.avatar })
        }
      }))
  }
})
