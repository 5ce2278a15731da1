import { Context, Duration } from "effect"

/** What came of one batch of due work. */
export interface DueWork {
  /** Items claimed; when this reaches the batch's limit there may be more. */
  readonly claimed: number
  /** Items handled to their end. */
  readonly done: number
  /** Items whose handling failed; they come again when their lease ends or at their next attempt, if they have one. */
  readonly failed: number
}

/** How long a claim on due work holds unless an operator sets another length. */
export const LEASE = Duration.seconds(30)

/** How long a claim on due work holds: a claimant that dies loses it after that. Longer than a batch takes. */
export class ClaimLease extends Context.Reference<ClaimLease>()("@community-messaging/domain/ClaimLease", {
  defaultValue: () => LEASE
}) {}
