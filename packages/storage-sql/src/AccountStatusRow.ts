import { Schema } from "effect"
import { column, Flag } from "./Column.ts"
import { fragment } from "./Statements.ts"

/** The columns of an `AccountStatusRow`, for a `SELECT` from `users`. */
export const STATUS = fragment`bot, CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END AS deleted,
  CASE WHEN deletion_claimable_at IS NULL THEN 0 ELSE 1 END AS scheduled_for_deletion`

/** The status of an account as a row. */
export const AccountStatusRow = Schema.Struct({
  bot: Flag,
  deleted: Flag,
  scheduledForDeletion: column("scheduled_for_deletion", Flag)
})
