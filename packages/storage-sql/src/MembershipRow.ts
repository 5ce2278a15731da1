import { UserId } from "@community-messaging/domain/account/User"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { Int32 } from "@community-messaging/domain/shared-kernel/Integer"
import { Schema } from "effect"
import { column, json, nullable } from "./Column.ts"

/** A membership as a row of `memberships`. */
export const MembershipRow = Schema.Struct({
  guildId: column("guild_id", Membership.fields.guildId),
  userId: column("user_id", Membership.fields.userId),
  nickname: nullable("nickname", Schema.String),
  roleIds: column("role_ids", json(Membership.fields.roleIds)),
  joinedAt: column("joined_at", Membership.fields.joinedAt),
  joinSourceType: nullable("join_source_type", Int32),
  sourceInviteCode: nullable("source_invite_code", Schema.String),
  inviterId: nullable("inviter_id", UserId)
})
