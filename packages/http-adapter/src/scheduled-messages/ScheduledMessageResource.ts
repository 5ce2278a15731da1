import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { DateTime, Option, Schema } from "effect"
import * as MessagePayload from "../wire/MessagePayloadResource.ts"
import { field, isoOrNull, nullable, onWire, Snowflake, Timestamp } from "../wire/WireType.ts"

/** The status of a scheduled message. Source: API reference, ScheduledMessage. */
export const Status = ScheduledMessageStatus.annotations({
  identifier: "ScheduledMessageStatus",
  description:
    "`pending` is not checked yet, `scheduled` waits for its time, `sent` is posted, `failed` could not be posted in five attempts, `invalid` cannot be posted as it is, `cancelled` will not be posted."
})

/**
 * A message that is posted at a later time. Source: API reference, ScheduledMessage; API gaps, Wire conventions and
 * Scheduled messages.
 */
export const ScheduledMessageResource = Schema.Struct({
  id: field(Snowflake, "Identifies the scheduled message."),
  channel_id: field(Snowflake, "The channel that it is posted to."),
  scheduled_at: field(Timestamp, "When it is posted, in UTC."),
  scheduled_local_at: field(
    Schema.String.annotations({ examples: ["2027-03-28T09:30:00"] }),
    "The planned time on the clocks of `timezone`, without an offset. Seconds and their decimals may be missing."
  ),
  timezone: field(
    Schema.String.annotations({ examples: ["Europe/Berlin"] }),
    "The name of a time zone in the IANA database."
  ),
  status: field(Status, "Its present status."),
  status_reason: field(nullable(Schema.String), "Why it has this status, for people."),
  payload: field(onWire(MessagePayload.MessagePayloadResource), "What is posted."),
  created_at: field(Timestamp, "When it was created."),
  invalidated_at: field(nullable(Timestamp), "When it became `invalid`.")
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
  invalidated_at: isoOrNull(message.invalidatedAt)
})
