import { Accounts } from "@community-messaging/domain/account/Accounts"
import { UserId } from "@community-messaging/domain/account/User"
import { PROGRAM } from "@community-messaging/domain/audit/AuditRecord"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MAX_FILTER_ITEMS } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { MessageId } from "@community-messaging/domain/message/Message"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import {
  LocalDateTime,
  ScheduledMessageId,
  TimeZoneName
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { integer } from "@community-messaging/domain/shared-kernel/Integer"
import { ChangeEmailBody, ScheduleDeletionBody } from "@community-messaging/http-adapter/accounts/Api"
import * as UserResource from "@community-messaging/http-adapter/accounts/UserResource"
import { MemberSearchBody } from "@community-messaging/http-adapter/guild-members/Api"
import { toQuery, toResult } from "@community-messaging/http-adapter/guild-members/Handlers"
import { ConsentBody } from "@community-messaging/http-adapter/oauth2/Api"
import * as MessageResource from "@community-messaging/http-adapter/operations/MessageResource"
import * as ScheduledMessageResource from "@community-messaging/http-adapter/scheduled-messages/ScheduledMessageResource"
import { MessagePayloadInput } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { atMost } from "@community-messaging/http-adapter/wire/WireType"
import { Effect, Option, Redacted, Schema } from "effect"
import { invalidField, operation } from "./InvalidInput.ts"
import { optional } from "./OptionalField.ts"

/* The operations of the API. Inputs and results have the fields of docs/api-reference.md. */

/** Grants OAuth2 consent of the user `user_id`. `authorised_page` is the page for applications without a redirect URI. */
export const grantConsent = operation(
  Schema.Struct({ ...ConsentBody.fields, user_id: UserId, authorised_page: optional(Schema.String) }),
  Effect.fnUntraced(function*({ authorised_page: page, user_id: userId, ...request }) {
    const consents = yield* Consents
    const { redirectTo } = yield* consents.grant(userId, request, Option.fromNullable(page))
    return { redirect_to: redirectTo }
  })
)

/** Exchanges a code for an access token, exactly once. */
export const redeemCode = operation(
  Schema.Struct({ client_id: ApplicationId, code: Schema.String, redirect_uri: optional(Schema.String) }),
  Effect.fnUntraced(function*({ client_id: clientId, code, redirect_uri: redirectUri }) {
    const request = { clientId, code: Redacted.make(code), redirectUri: Option.fromNullable(redirectUri) }
    const { accessToken, grant } = yield* (yield* Consents).redeem(request)
    return { access_token: Redacted.value(accessToken), user_id: grant.userId, scopes: grant.scopes }
  })
)

/** The user, the application and the scopes of an access token that a request presents. */
export const authenticateAccessToken = operation(
  Schema.Struct({ access_token: Schema.String }),
  Effect.fnUntraced(function*({ access_token: accessToken }) {
    const grant = yield* (yield* Consents).authenticate(Redacted.make(accessToken))
    return { user_id: grant.userId, client_id: grant.applicationId, scopes: grant.scopes }
  })
)

/** The author's scheduled messages: the undelivered ones, soonest first, or those in one of `status`, the latest first. */
export const listScheduledMessages = operation(
  Schema.Struct({ user_id: UserId, status: optional(Schema.Array(ScheduledMessageStatus)) }),
  Effect.fnUntraced(function*({ status = [], user_id: authorId }) {
    const messages = yield* (yield* ScheduledMessages).list(authorId, status)
    return messages.map(ScheduledMessageResource.fromEntity)
  })
)

const outOfRange = () => invalidField("scheduled_local_at", "must be in the future, and at most 365 days ahead")

/** Schedules a message of the user `user_id` for a local time in a time zone. */
export const scheduleMessage = operation(
  Schema.Struct({
    user_id: UserId,
    channel_id: ChannelId,
    scheduled_local_at: LocalDateTime,
    timezone: TimeZoneName,
    payload: MessagePayloadInput
  }),
  Effect.fnUntraced(
    function*({ channel_id: channelId, payload, scheduled_local_at: scheduledLocalAt, timezone, user_id: authorId }) {
      const messages = yield* ScheduledMessages
      const message = yield* messages.schedule(authorId, { channelId, scheduledLocalAt, timezone, payload })
      return ScheduledMessageResource.fromEntity(message)
    },
    Effect.catchTag("ScheduledTimeOutOfRange", outOfRange)
  )
)

/** Edits an undelivered message of the user `user_id`. Fields that are left out do not change. */
export const editScheduledMessage = operation(
  Schema.Struct({
    user_id: UserId,
    id: ScheduledMessageId,
    channel_id: optional(ChannelId),
    scheduled_local_at: optional(LocalDateTime),
    timezone: optional(TimeZoneName),
    payload: optional(MessagePayloadInput)
  }),
  Effect.fnUntraced(
    function*({ channel_id: channelId, id, scheduled_local_at: scheduledLocalAt, user_id: authorId, ...others }) {
      const messages = yield* ScheduledMessages
      const message = yield* messages.edit(authorId, id, { channelId, scheduledLocalAt, ...others })
      return ScheduledMessageResource.fromEntity(message)
    },
    Effect.catchTag("ScheduledTimeOutOfRange", outOfRange)
  )
)

/** Cancels an undelivered message of the user `user_id`. */
export const cancelScheduledMessage = operation(
  Schema.Struct({ user_id: UserId, id: ScheduledMessageId }),
  Effect.fnUntraced(function*({ id, user_id: authorId }) {
    return ScheduledMessageResource.fromEntity(yield* (yield* ScheduledMessages).cancel(authorId, id))
  })
)

/** Searches the members of a guild. The user `user_id` must be allowed to manage it. */
export const searchGuildMembers = operation(
  Schema.Struct({
    ...MemberSearchBody.fields,
    role_ids: optional(atMost(MAX_FILTER_ITEMS, RoleId)),
    user_id: UserId,
    guild_id: GuildId
  }),
  Effect.fnUntraced(function*({ guild_id: guildId, user_id: userId, ...query }) {
    return toResult(guildId, yield* (yield* MemberSearch).search(userId, guildId, toQuery(query)))
  })
)

/** Schedules the deletion of an account, or replaces a scheduled one. */
export const scheduleAccountDeletion = operation(
  ScheduleDeletionBody,
  Effect.fnUntraced(function*(request) {
    return { user: UserResource.fromEntity(yield* (yield* Accounts).scheduleDeletion({ ...request, actor: PROGRAM })) }
  })
)

/** Cancels a scheduled deletion. */
export const cancelAccountDeletion = operation(
  Schema.Struct({ user_id: UserId }),
  Effect.fnUntraced(function*({ user_id: userId }) {
    return { user: UserResource.fromEntity(yield* (yield* Accounts).cancelDeletion({ userId, actor: PROGRAM })) }
  })
)

/** Changes the e-mail address of an account. */
export const changeUserEmail = operation(
  ChangeEmailBody,
  Effect.fnUntraced(function*(change) {
    return { user: UserResource.fromEntity(yield* (yield* Accounts).changeEmail({ ...change, actor: PROGRAM })) }
  })
)

/** The posted messages of a channel, newest first: at most `limit`, 50 by default, before the message `before`. */
export const listMessages = operation(
  Schema.Struct({
    channel_id: ChannelId,
    before: optional(MessageId),
    limit: optional(integer("int32", { minimum: 1, maximum: 100 }))
  }),
  Effect.fnUntraced(function*({ before, channel_id: channelId, limit = 50 }) {
    const repository = yield* MessageRepository
    const messages = yield* repository.inChannel({ channelId, before: Option.fromNullable(before), limit })
    return messages.map(MessageResource.fromEntity)
  })
)
