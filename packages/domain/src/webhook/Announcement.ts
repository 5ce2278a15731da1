import { Duration } from "effect"

/** How long the other notification about a change posts nothing (API gaps, Notifications and webhooks). */
export const ANNOUNCEMENT_MEMORY = Duration.minutes(1)

/**
 * One of two notifications about the same change: a code host sends `create` and `push` for a new branch or tag, and
 * `delete` and `push` for a deleted one, in any order. A webhook may be sent only one of them.
 */
export interface Announcement {
  /** Identifies the change, and which of its two notifications this is. */
  readonly id: string
  /** The id of the other notification about the change. */
  readonly counterpart: string
}
