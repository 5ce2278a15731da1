import { Option } from "effect"
import { Discriminator, UserId } from "../../src/account/User.ts"
import { GuildId } from "../../src/guild/Guild.ts"
import { GuildMember } from "../../src/guild/GuildMember.ts"
import { RoleId } from "../../src/guild/Role.ts"
import { search } from "../../src/member-search/MemberMatch.ts"
import { MemberQuery } from "../../src/member-search/MemberQuery.ts"

/** The epoch of the snowflakes of these members, in Unix milliseconds. */
export const EPOCH = Date.UTC(2015, 0, 1)

/** A member of one guild, by default with only the username `user`. */
export const member = (id: string, fields: {
  readonly username?: string
  readonly globalName?: string
  readonly nickname?: string
  readonly roleIds?: ReadonlyArray<string>
  readonly joinedAt?: number
  readonly joinSourceType?: number
  readonly sourceInviteCode?: string
  readonly isBot?: boolean
} = {}): GuildMember =>
  GuildMember.make({
    guildId: GuildId.make("1000"),
    userId: UserId.make(id),
    username: fields.username ?? "user",
    discriminator: Discriminator.make(0),
    globalName: Option.fromNullable(fields.globalName),
    nickname: Option.fromNullable(fields.nickname),
    roleIds: (fields.roleIds ?? []).map((role) => RoleId.make(role)),
    joinedAt: fields.joinedAt ?? 0,
    joinSourceType: Option.fromNullable(fields.joinSourceType),
    sourceInviteCode: Option.fromNullable(fields.sourceInviteCode),
    isBot: fields.isBot ?? false
  })

/** The ids of the members on the page of the query, in its order. */
export const found = (
  members: ReadonlyArray<GuildMember>,
  query: Parameters<typeof MemberQuery.make>[0]
): ReadonlyArray<string> => search(members, MemberQuery.make(query), EPOCH).members.map(({ userId }) => userId)
