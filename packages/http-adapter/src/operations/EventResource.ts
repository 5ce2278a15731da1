import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import { DateTime, Option, Schema } from "effect"
import { field, Int64, Timestamp } from "../wire/WireType.ts"
import * as MessageResource from "./MessageResource.ts"

/** An event in the stream. Its type and version determine the fields of `data`. */
export const EventResource = Schema.Struct({
  sequence: field(Int64, "Increases with every event. Resume after the last one that you received."),
  occurred_at: field(Timestamp, "When it was committed."),
  type: field(Schema.String, "Such as `message.created`."),
  version: field(Schema.Number.annotations({ jsonSchema: { type: "integer" } }), "The version of `data`."),
  data: field(Schema.Record({ key: Schema.String, value: Schema.Unknown }), "What changed.")
}).annotations({ identifier: "Event", description: "A change of state." })
export interface EventResource extends Schema.Schema.Type<typeof EventResource> {}

const dataOf = (event: DomainEvent): Readonly<Record<string, unknown>> => {
  switch (event._tag) {
    case "message.created":
      return { ...MessageResource.fromEntity(event.message) }
    case "scheduled_message.updated":
      return { scheduled_message_id: event.scheduledMessageId, author_id: event.authorId, status: event.status }
    case "user.updated":
      return { user_id: event.userId, changed: event.changed }
    case "user.deletion_scheduled":
      return {
        user_id: event.userId,
        pending_deletion_at: DateTime.formatIso(event.pendingDeletionAt),
        reason_code: event.reasonCode,
        public_reason: Option.getOrNull(event.publicReason)
      }
    case "user.deletion_cancelled":
    case "user.deleted":
      return { user_id: event.userId }
    case "webhook.updated":
      return {
        webhook_id: event.webhookId,
        guild_id: event.guildId,
        channel_id: event.channelId,
        name: event.name,
        avatar: Option.getOrNull(event.avatar)
      }
    case "webhook.deleted":
      return { webhook_id: event.webhookId, guild_id: event.guildId, channel_id: event.channelId }
    case "consent.granted":
      return {
        user_id: event.userId,
        client_id: event.applicationId,
        scopes: event.scopes,
        guild_id: Option.getOrNull(event.guildId),
        permissions: Option.getOrNull(Option.map(event.permissions, String))
      }
    case "member.joined":
    case "member.updated":
    case "member.left":
      return { guild_id: event.guildId, user_id: event.userId }
  }
}

/** Converts an event to its resource. */
export const fromEntity = ({ event, occurredAt, sequence }: SequencedEvent<DomainEvent>): EventResource => ({
  sequence,
  occurred_at: DateTime.formatIso(occurredAt),
  type: event._tag,
  version: event.version,
  data: dataOf(event)
})
