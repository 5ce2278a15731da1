import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { GuildId } from "./Guild.ts"
import { RoleId } from "./Role.ts"

/** How a member came in. Other numbers are stored as given. Source: API gaps, Member search. */
export const JOIN_SOURCE_TYPE = {
  creator: 0,
  invite: 1,
  vanityLink: 2,
  botConsent: 3,
  addedByAdministrator: 4,
  discovery: 6
} as const

/**
 * That an account belongs to a guild, and what it is there. `joinedAt` is in Unix seconds.
 *
 * The reference's GuildMember is this together with the account's names: see `GuildMember`.
 */
export const Membership = Schema.Struct({
  guildId: GuildId,
  userId: UserId,
  nickname: optionalField(Schema.String),
  roleIds: Schema.Array(RoleId),
  joinedAt: Schema.Int,
  joinSourceType: optionalField(Schema.Int),
  sourceInviteCode: optionalField(Schema.String),
  inviterId: optionalField(UserId)
}).annotations({ identifier: "Membership" })
export interface Membership extends Schema.Schema.Type<typeof Membership> {}
