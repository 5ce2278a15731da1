import { Duration } from "effect"

/** What came of one batch of due work. */
export interface DueWork {
  /** Items claimed; when this reaches the batch's limit there may be more. */
  readonly claimed: number
  /** Items handled to their end. */
  readonly done: number
  /** Items whose handling failed; they come again when their lease ends or at their next attempt, if they have one. */
  readonly failed: number
}

/** How long a claim on due work holds: a claimant that dies loses it after that. */
export const LEASE = Duration.seconds(30)
