import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { type User, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { Embed } from "@community-messaging/domain/message/Embed"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { PARTS_CHECKED } from "@community-messaging/domain/PartsChecked"
import { Permissions } from "@community-messaging/domain/Permissions"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import * as CodeHostEmbed from "@community-messaging/domain/webhook/code-host/CodeHostEmbed"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import { cleanName, type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { available, Deadline } from "@community-messaging/http-adapter/Deadline"
import { UnknownWebhook } from "@community-messaging/http-adapter/definition/ApiError"
import * as AdministrationHandlers from "@community-messaging/http-adapter/handlers/AdministrationHandlers"
import * as GuildMembersHandlers from "@community-messaging/http-adapter/handlers/GuildMembersHandlers"
import * as OAuth2Handlers from "@community-messaging/http-adapter/handlers/OAuth2Handlers"
import * as ScheduledMessagesHandlers from "@community-messaging/http-adapter/handlers/ScheduledMessagesHandlers"
import * as WebhooksHandlers from "@community-messaging/http-adapter/handlers/WebhooksHandlers"
import { Effect, Option, Redacted } from "effect"
import type {
  ChangeEmailBody,
  CodeHostBody,
  ConsentBody,
  ErrorTrackerBody,
  MemberSearchBody,
  ScheduleDeletionBody,
  UpdateWebhookBody
} from "./Bodies.ts"
import * as Notifications from "./Notifications.ts"
import { refused } from "./Refused.ts"

const said = (header: string | undefined): Option.Option<string> =>
  header === undefined || header === "" ? Option.none() : Option.some(header)

/**
 * What every server does once it knows who asks and has checked the body: the service's own handlers, so that the peers
 * differ from ours, and from one another, in HTTP, validation and serialisation alone.
 */
export const make = Effect.gen(function*() {
  const oauth2 = yield* OAuth2Handlers.make(Option.none())
  const scheduledMessages = yield* ScheduledMessagesHandlers.make
  const guildMembers = yield* GuildMembersHandlers.make
  const administration = yield* AdministrationHandlers.make
  const webhooks = yield* WebhooksHandlers.make
  const { post } = yield* Webhooks
  const deadline = yield* Deadline

  const notify = (webhook: Webhook, deliveryId: string | undefined, embed: Option.Option<Embed>) =>
    available(post(webhook.id, { deliveryId: said(deliveryId), embed }), deadline).pipe(
      Effect.asVoid,
      Effect.catchTag("UnknownWebhook", () => Effect.fail(new UnknownWebhook())),
      Effect.mapError((error) => refused(error))
    )

  return {
    /** Endpoint 1. */
    grantConsent: (caller: User, body: ConsentBody) =>
      oauth2.grantConsent(caller, {
        client_id: ApplicationId.make(body.client_id, PARTS_CHECKED),
        scope: body.scope,
        ...(body.response_type !== undefined && { response_type: body.response_type }),
        ...(body.redirect_uri !== undefined && { redirect_uri: body.redirect_uri }),
        ...(body.state !== undefined && { state: body.state }),
        ...(body.permissions !== undefined &&
          { permissions: Permissions.make(BigInt(body.permissions), PARTS_CHECKED) }),
        ...(body.guild_id !== undefined && { guild_id: GuildId.make(body.guild_id, PARTS_CHECKED) })
      }).pipe(Effect.mapError((error) => refused(error))),

    /** Endpoint 2. */
    listScheduledMessages: (caller: User, statuses: ReadonlyArray<ScheduledMessageStatus>) =>
      Effect.mapError(scheduledMessages.list(caller, statuses), (error) => refused(error)),

    /** Endpoint 3. */
    searchMembers: (caller: User, guildId: string, body: MemberSearchBody) =>
      Effect.mapError(
        guildMembers.search(caller, GuildId.make(guildId, PARTS_CHECKED), body),
        (error) => refused(error)
      ),

    /** Endpoint 4. */
    scheduleDeletion: (key: AdminKey, body: ScheduleDeletionBody) =>
      Effect.mapError(
        administration.scheduleDeletion(key, { ...body, user_id: UserId.make(body.user_id, PARTS_CHECKED) }),
        (error) => refused(error)
      ),

    /** Endpoint 5. */
    changeEmail: (key: AdminKey, body: ChangeEmailBody) =>
      Effect.mapError(
        administration.changeEmail(key, {
          user_id: UserId.make(body.user_id, PARTS_CHECKED),
          email: EmailAddress.make(body.email.trim(), PARTS_CHECKED)
        }),
        (error) => refused(error)
      ),

    /** Endpoint 6. */
    executeCodeHost: (
      webhook: Webhook,
      headers: { readonly event: string | undefined; readonly deliveryId: string | undefined },
      body: CodeHostBody
    ) => notify(webhook, headers.deliveryId, CodeHostEmbed.embed(said(headers.event), Notifications.ofCodeHost(body))),

    /** Endpoint 7. */
    executeErrorTracker: (
      webhook: Webhook,
      headers: { readonly resource: string | undefined; readonly deliveryId: string | undefined },
      body: ErrorTrackerBody
    ) =>
      notify(
        webhook,
        headers.deliveryId,
        ErrorTrackerEmbed.embed(said(headers.resource), Notifications.ofErrorTracker(body))
      ),

    /** Endpoint 8. */
    updateWebhook: (webhook: Webhook, token: string, body: UpdateWebhookBody) =>
      webhooks.update(webhook, Redacted.make(token), {
        ...(body.name !== undefined && { name: WebhookName.make(cleanName(body.name), PARTS_CHECKED) }),
        ...(body.avatar !== undefined && { avatar: body.avatar })
      }).pipe(Effect.mapError((error) => refused(error)))
  }
})
