import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { RoleId } from "@community-messaging/domain/guild/Role"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import { Option } from "effect"

/**
 * The indexed fields of a member. Missing values are `undefined` here, unlike in the domain, because a million members
 * are read when an index is built. Texts are normalised by `MemberText.normalise`, `joinedAt` is in Unix seconds.
 */
export interface IndexedMember {
  readonly userId: UserId
  readonly joinedAt: number
  readonly isBot: boolean
  readonly roleIds: ReadonlyArray<RoleId>
  readonly joinSourceType: number | undefined
  readonly sourceInviteCode: string | undefined
  readonly usernameText: string
  readonly globalNameText: string | undefined
  readonly nicknameText: string | undefined
}

const normalised = (text: Option.Option<string>): string | undefined =>
  Option.isSome(text) ? normalise(text.value) : undefined

/** Converts a member to its indexed fields. */
export const fromMember = (member: GuildMember): IndexedMember => ({
  userId: member.userId,
  joinedAt: member.joinedAt,
  isBot: member.isBot,
  roleIds: member.roleIds,
  joinSourceType: Option.getOrUndefined(member.joinSourceType),
  sourceInviteCode: Option.getOrUndefined(member.sourceInviteCode),
  usernameText: normalise(member.username),
  globalNameText: normalised(member.globalName),
  nicknameText: normalised(member.nickname)
})
