import { Schema } from "effect"

/** The status of a scheduled message. Source: API gaps, Scheduled messages. */
export const ScheduledMessageStatus = Schema.Literal("pending", "invalid", "scheduled", "sent", "failed", "cancelled")
export type ScheduledMessageStatus = typeof ScheduledMessageStatus.Type

/**
 * The transition table: for each status, the statuses that may follow it (API gaps, Scheduled messages). `sent` and
 * `cancelled` are final.
 */
const TRANSITIONS: Readonly<Record<ScheduledMessageStatus, ReadonlyArray<ScheduledMessageStatus>>> = {
  pending: ["scheduled", "invalid", "cancelled"],
  scheduled: ["sent", "failed", "invalid", "cancelled"],
  invalid: ["pending", "cancelled"],
  failed: ["pending", "cancelled"],
  sent: [],
  cancelled: []
}

/** The statuses of messages that are not delivered yet. These messages count towards a user's limit. */
export const UNDELIVERED: ReadonlyArray<ScheduledMessageStatus> = ["pending", "scheduled", "invalid", "failed"]

/** Returns whether `to` may follow `from`. */
export const canFollow = (from: ScheduledMessageStatus, to: ScheduledMessageStatus): boolean =>
  TRANSITIONS[from].includes(to)

/** Returns whether a stored message may change from `from` to `to`. An undelivered message may also keep its status. */
export const mayChange = (from: ScheduledMessageStatus, to: ScheduledMessageStatus): boolean =>
  from === to ? UNDELIVERED.includes(from) : canFollow(from, to)
