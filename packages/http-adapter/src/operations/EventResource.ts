import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import { DateTime, Option, Schema } from "effect"
import { Status } from "../scheduled-messages/ScheduledMessageResource.ts"
import { field, Int32, Int64, nullable, Snowflake, Timestamp } from "../wire/WireType.ts"
import * as MessageResource from "./MessageResource.ts"

const described = (description: string) => field(Snowflake, description)

/** Returns `UserUpdatedEvent` for `user.updated`. */
const identifierOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])[a-z]/g, (start) => start.slice(-1).toUpperCase())}Event`

/** An event of one type. Adding a field to its data keeps the version; changing or removing one makes another version. */
const schemaOf = <const Type extends string, const Fields extends Schema.Struct.Fields>(
  type: Type,
  description: string,
  data: Schema.Struct<Fields>
) =>
  Schema.Struct({
    sequence: field(Int64, "Increases with every event. Resume after the last one that you received."),
    occurred_at: field(Timestamp, "When it was appended to the log, before its commit."),
    type: field(Schema.Literal(type), "What happened."),
    version: field(Schema.Literal(1), "The version of `data`."),
    data: field(data, "What changed.")
  }).annotations({ identifier: identifierOf(type), description })

const ofUser = Schema.Struct({ user_id: described("The account.") })

const ofMember = Schema.Struct({ guild_id: described("The guild."), user_id: described("The account.") })

const inChannel = {
  webhook_id: described("The webhook."),
  guild_id: described("The guild of its channel."),
  channel_id: described("The channel that it posts to.")
}

/** An event in the stream. Its type determines the fields of `data`. Source: Events, Types. */
export const EventResource = Schema.Union(
  schemaOf("message.created", "A message was posted.", MessageResource.MessageResource),
  schemaOf(
    "scheduled_message.updated",
    "A scheduled message was created, edited, or changed its status.",
    Schema.Struct({
      scheduled_message_id: described("The scheduled message."),
      author_id: described("The account that scheduled it."),
      status: field(Status, "Its present status.")
    })
  ),
  schemaOf(
    "user.updated",
    "Fields of an account changed.",
    Schema.Struct({
      user_id: described("The account."),
      changed: field(Schema.Array(Schema.String), "The names of the fields. Their values are personal data.")
    })
  ),
  schemaOf(
    "user.deletion_scheduled",
    "The deletion of an account was scheduled or rescheduled.",
    Schema.Struct({
      user_id: described("The account."),
      pending_deletion_at: field(Timestamp, "When it is deleted."),
      reason_code: field(Int32, "Why, as a number."),
      public_reason: field(nullable(Schema.String), "Why, for people; null if no reason was given.")
    })
  ),
  schemaOf("user.deletion_cancelled", "The deletion of an account was cancelled.", ofUser),
  schemaOf("user.deleted", "An account was deleted.", ofUser),
  schemaOf(
    "webhook.updated",
    "A webhook was created or changed.",
    Schema.Struct({
      ...inChannel,
      name: field(Schema.String, "The name under which it posts."),
      avatar: field(nullable(Schema.String), "The hash of its avatar; null if it has none.")
    })
  ),
  schemaOf("webhook.deleted", "A webhook was removed. Its messages stay.", Schema.Struct(inChannel)),
  schemaOf(
    "consent.granted",
    "A user gave an application access.",
    Schema.Struct({
      user_id: described("The account."),
      client_id: described("The application."),
      scopes: field(Schema.Array(Schema.String), "What it may do."),
      guild_id: field(nullable(Snowflake), "The guild that its bot joined; null if none."),
      permissions: field(
        nullable(Schema.String),
        "What its bot may do there, as a decimal bit set; null if no bot joined."
      )
    })
  ),
  schemaOf("member.joined", "An account joined a guild.", ofMember),
  schemaOf("member.updated", "A member's nickname or roles changed.", ofMember),
  schemaOf("member.left", "An account left a guild.", ofMember)
).annotations({
  identifier: "Event",
  description:
    "A change of state. Its type determines the fields of `data`; a reader ignores types that it does not know."
})
export type EventResource = typeof EventResource.Type

/** Converts an event to its resource. */
export const fromEntity = ({ event, occurredAt, sequence }: SequencedEvent<DomainEvent>): EventResource => {
  const resource = <const Type extends DomainEvent["_tag"], Data>(type: Type, data: Data) => (
    { sequence, occurred_at: DateTime.formatIso(occurredAt), version: event.version, type, data }
  )
  switch (event._tag) {
    case "message.created":
      return resource(event._tag, MessageResource.fromEntity(event.message))
    case "scheduled_message.updated":
      return resource(event._tag, {
        scheduled_message_id: event.scheduledMessageId,
        author_id: event.authorId,
        status: event.status
      })
    case "user.updated":
      return resource(event._tag, { user_id: event.userId, changed: event.changed })
    case "user.deletion_scheduled":
      return resource(event._tag, {
        user_id: event.userId,
        pending_deletion_at: DateTime.formatIso(event.pendingDeletionAt),
        reason_code: event.reasonCode,
        public_reason: Option.getOrNull(event.publicReason)
      })
    case "user.deletion_cancelled":
    case "user.deleted":
      return resource(event._tag, { user_id: event.userId })
    case "webhook.updated":
      return resource(event._tag, { ...placeOf(event), name: event.name, avatar: Option.getOrNull(event.avatar) })
    case "webhook.deleted":
      return resource(event._tag, placeOf(event))
    case "consent.granted":
      return resource(event._tag, {
        user_id: event.userId,
        client_id: event.applicationId,
        scopes: event.scopes,
        guild_id: Option.getOrNull(event.guildId),
        permissions: Option.getOrNull(Option.map(event.permissions, String))
      })
    case "member.joined":
    case "member.updated":
    case "member.left":
      return resource(event._tag, { guild_id: event.guildId, user_id: event.userId })
  }
}

const placeOf = ({ channelId, guildId, webhookId }: Extract<DomainEvent, { readonly webhookId: unknown }>) => ({
  webhook_id: webhookId,
  guild_id: guildId,
  channel_id: channelId
})
