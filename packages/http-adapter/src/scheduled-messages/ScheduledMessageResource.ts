import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { DateTime, Option, Schema } from "effect"
import * as MessagePayload from "../wire/MessagePayloadResource.ts"
import { nullable, Snowflake, Timestamp } from "../wire/WireType.ts"

/**
 * A message that is posted at a later time. Source: API reference, ScheduledMessage; API gaps, Wire conventions and
 * Scheduled messages.
 */
export const ScheduledMessageResource = Schema.Struct({
  id: Snowflake,
  channel_id: Snowflake,
  scheduled_at: Timestamp,
  scheduled_local_at: Schema.String.annotations({
    description: "The planned time on the clocks of `timezone`, without an offset.",
    examples: ["2027-03-28T09:30:00"]
  }),
  timezone: Schema.String.annotations({
    description: "The name of a time zone in the IANA database.",
    examples: ["Europe/Berlin"]
  }),
  status: ScheduledMessageStatus.annotations({ identifier: "ScheduledMessageStatus" }),
  status_reason: nullable(Schema.String),
  payload: MessagePayload.MessagePayloadResource,
  created_at: Timestamp,
  invalidated_at: nullable(Timestamp)
}).annotations({ identifier: "ScheduledMessage", description: "A message that is posted at a later time." })
export interface ScheduledMessageResource extends Schema.Schema.Type<typeof ScheduledMessageResource> {}

/** Converts a scheduled message to its resource. */
export const fromEntity = (message: ScheduledMessage): ScheduledMessageResource => ({
  id: message.id,
  channel_id: message.channelId,
  scheduled_at: DateTime.formatIso(message.scheduledAt),
  scheduled_local_at: message.scheduledLocalAt,
  timezone: message.timezone,
  status: message.status,
  status_reason: Option.getOrNull(message.statusReason),
  payload: MessagePayload.fromEntity(message.payload),
  created_at: DateTime.formatIso(message.createdAt),
  invalidated_at: Option.match(message.invalidatedAt, { onNone: () => null, onSome: DateTime.formatIso })
})
