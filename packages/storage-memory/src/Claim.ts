import { DateTime, Option } from "effect"

/** Returns when due work can be claimed: at its due time, or when an earlier claim ends. */
export const claimableAt = (dueAt: DateTime.Utc, leaseUntil: Option.Option<DateTime.Utc>): DateTime.Utc =>
  Option.match(leaseUntil, { onNone: () => dueAt, onSome: DateTime.max(dueAt) })
