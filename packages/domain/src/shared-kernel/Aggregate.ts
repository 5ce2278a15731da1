import type { Snowflake } from "./Snowflake.ts"

/**
 * What a unit of work can lock, so that no other unit changes it in the meantime:
 *
 * - `account`: the account with all that belongs to it: bot tokens, consents, codes, grants, memberships, scheduled messages
 * - `credential`: an admin key
 * - `guild`: the guild with its roles and channels
 * - `webhook`: the webhook with its token, name and avatar; its messages and deliveries are not part of it
 */
export interface Aggregate {
  readonly kind: "account" | "credential" | "guild" | "webhook"
  readonly id: Snowflake
}
