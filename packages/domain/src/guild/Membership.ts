import { type DateTime, Option, Schema } from "effect"
import { DisplayName, UserId } from "../account/User.ts"
import { Int32 } from "../shared-kernel/Integer.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { GuildId } from "./Guild.ts"
import { RoleId } from "./Role.ts"

/** How a member joined. Other numbers are stored unchanged. Source: API reference, GuildMember. */
export const JOIN_SOURCE_TYPE = {
  creator: 0,
  invite: 1,
  vanityLink: 2,
  botConsent: 3,
  addedByAdministrator: 4,
  discovery: 6
} as const

/**
 * The membership of an account in a guild. `joinedAt` is in Unix seconds.
 *
 * `GuildMember` adds the names of the account, as the API returns it.
 */
export const Membership = Schema.Struct({
  guildId: GuildId,
  userId: UserId,
  nickname: optionalField(DisplayName),
  roleIds: Schema.Array(RoleId),
  joinedAt: Schema.Int,
  joinSourceType: optionalField(Int32),
  sourceInviteCode: optionalField(Schema.String),
  inviterId: optionalField(UserId)
}).annotations({ identifier: "Membership" })
export interface Membership extends Schema.Schema.Type<typeof Membership> {}

/** Returns a new membership, without a nickname, roles and an invite. */
export const join = ({ at, guildId, joinSourceType, userId }: {
  readonly guildId: GuildId
  readonly userId: UserId
  readonly joinSourceType: number
  readonly at: DateTime.Utc
}): Membership => ({
  guildId,
  userId,
  nickname: Option.none(),
  roleIds: [],
  joinedAt: Math.floor(at.epochMillis / 1000),
  joinSourceType: Option.some(joinSourceType),
  sourceInviteCode: Option.none(),
  inviterId: Option.none()
})
