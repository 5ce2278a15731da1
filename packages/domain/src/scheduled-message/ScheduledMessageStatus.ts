import { Schema } from "effect"

/** Where a scheduled message stands in its life. Source: API gaps, Scheduled messages. */
export const ScheduledMessageStatus = Schema.Literal("pending", "invalid", "scheduled", "sent", "failed", "cancelled")
export type ScheduledMessageStatus = typeof ScheduledMessageStatus.Type

/**
 * From each status, the only ones that may follow it (API gaps, Scheduled messages). Nothing follows `sent` and
 * `cancelled`.
 */
export const TRANSITIONS = {
  pending: ["scheduled", "invalid", "cancelled"],
  scheduled: ["sent", "failed", "invalid", "cancelled"],
  invalid: ["pending", "cancelled"],
  failed: ["pending", "cancelled"],
  sent: [],
  cancelled: []
} as const satisfies Record<ScheduledMessageStatus, ReadonlyArray<ScheduledMessageStatus>>

/** The statuses in which a message was not delivered and still may be; these count towards a user's limit. */
export const UNDELIVERED: ReadonlyArray<ScheduledMessageStatus> = ["pending", "scheduled", "invalid", "failed"]

/** Whether the one status may follow the other. */
export const canFollow = (from: ScheduledMessageStatus, to: ScheduledMessageStatus): boolean => {
  const following: ReadonlyArray<ScheduledMessageStatus> = TRANSITIONS[from]
  return following.includes(to)
}

/** Whether a stored message may change from the one status to the other; it may stay as long as it is undelivered. */
export const mayChange = (from: ScheduledMessageStatus, to: ScheduledMessageStatus): boolean =>
  from === to ? UNDELIVERED.includes(from) : canFollow(from, to)
