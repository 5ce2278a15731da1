import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { JOIN_SOURCE_TYPE } from "@community-messaging/domain/guild/Membership"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { WITHOUT_VALIDATION } from "@community-messaging/domain/shared-kernel/WithoutValidation"
import type { IndexedMember } from "@community-messaging/member-index/IndexedMember"
import { Context } from "effect"
import { make, type SeededRandom } from "../../report/SeededRandom.ts"
import { memoised } from "./Memoised.ts"
import * as Names from "./Names.ts"

/** A member with the properties that the subjects of the benchmark need. */
export interface CommunityMember extends IndexedMember, Names.Names {
  /** When the account was created, in Unix seconds. */
  readonly createdAt: number
  /** All texts, each between separators that no query contains. */
  readonly searchText: string
}

/** A guild with its members in the order of `joinedAt`, then of user id. */
export interface Community {
  readonly guildId: GuildId
  readonly members: ReadonlyArray<CommunityMember>
  /** In order: half of the members have the first, one in eighty the last. */
  readonly roleIds: ReadonlyArray<RoleId>
  readonly inviteCodes: ReadonlyArray<string>
}

/** Stands before and after each text of `searchText`. */
export const SEPARATOR = "\u0001"

/** The moment from which snowflakes count, in Unix milliseconds. */
export const EPOCH = Context.get(Context.empty(), Snowflake.SnowflakeEpoch)

const ROLES = 40
const DAY = 86_400
/** The range of dates of accounts and joins, in Unix seconds. */
const FIRST_ACCOUNT = Date.UTC(2016, 0, 1) / 1000
const GUILD_BEGINS = Date.UTC(2019, 5, 1) / 1000
const NOW = Date.UTC(2026, 0, 1) / 1000

const snowflake = (random: SeededRandom, seconds: number): bigint =>
  (BigInt(seconds * 1000 + random.below(1000) - EPOCH) << Snowflake.TIMESTAMP_SHIFT) | BigInt(random.below(2 ** 22))

/** Half of the members join within weeks of making their account, the others any time after. */
const dates = (random: SeededRandom): { readonly createdAt: number; readonly joinedAt: number } => {
  // The root: communities grow, so most members joined late.
  const joinedAt = GUILD_BEGINS + Math.floor(Math.sqrt(random.fraction()) * (NOW - GUILD_BEGINS))
  const age = random.chance(0.5)
    ? Math.floor(random.fraction() ** 2 * 60 * DAY)
    : Math.floor(random.fraction() * (joinedAt - FIRST_ACCOUNT))
  return { createdAt: joinedAt - age, joinedAt }
}

const rolesOf = (random: SeededRandom, roleIds: ReadonlyArray<RoleId>): ReadonlyArray<RoleId> =>
  roleIds.filter((_, index) => random.chance(0.5 / (index + 1)))

const sourceOf = (random: SeededRandom, isBot: boolean): number | undefined => {
  if (isBot) return JOIN_SOURCE_TYPE.botConsent
  const kind = random.fraction()
  if (kind < 0.55) return JOIN_SOURCE_TYPE.invite
  if (kind < 0.7) return JOIN_SOURCE_TYPE.vanityLink
  if (kind < 0.9) return JOIN_SOURCE_TYPE.discovery
  return kind < 0.92 ? JOIN_SOURCE_TYPE.addedByAdministrator : undefined
}

const CODE_CHARACTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

const inviteCode = (random: SeededRandom): string =>
  Array.from({ length: 8 }, () => CODE_CHARACTERS.charAt(random.below(CODE_CHARACTERS.length))).join("")

/** Memoised, because many members share a display name or nickname. */
const normalisedName = memoised(normalise)

// `join` makes one flat string; V8 represents a concatenation as a tree until something reads it.
const inOnePiece = (texts: ReadonlyArray<string>): string => `${SEPARATOR}${texts.join(SEPARATOR)}${SEPARATOR}`

const member = (
  random: SeededRandom,
  { inviteCodes, roleIds }: {
    readonly inviteCodes: readonly [string, ...ReadonlyArray<string>]
    readonly roleIds: ReadonlyArray<RoleId>
  }
): CommunityMember => {
  const { globalName, nickname, username } = Names.draw(random)
  const { createdAt, joinedAt } = dates(random)
  const isBot = random.chance(0.003)
  const joinSourceType = sourceOf(random, isBot)
  const usernameText = normalise(username)
  const globalNameText = globalName === undefined ? undefined : normalisedName(globalName)
  const nicknameText = nickname === undefined ? undefined : normalisedName(nickname)
  return {
    username,
    globalName,
    nickname,
    userId: UserId.make(snowflake(random, createdAt).toString(), WITHOUT_VALIDATION),
    createdAt,
    joinedAt,
    isBot,
    roleIds: rolesOf(random, roleIds),
    joinSourceType,
    sourceInviteCode: joinSourceType === JOIN_SOURCE_TYPE.invite ? random.pickZipf(inviteCodes) : undefined,
    usernameText,
    globalNameText,
    nicknameText,
    searchText: inOnePiece([usernameText, globalNameText, nicknameText].filter((text) => text !== undefined))
  }
}

const byJoinedAt = (self: CommunityMember, that: CommunityMember): number =>
  self.joinedAt - that.joinedAt || Snowflake.compare(self.userId, that.userId)

/** A community of that many members, always the same one for the same seed. */
export const create = (size: number, seed: number): Community => {
  const random = make(seed)
  const roleIds = Array.from(
    { length: ROLES },
    () => RoleId.make(snowflake(random, GUILD_BEGINS + random.below(NOW - GUILD_BEGINS)).toString())
  )
  const codes = Array.from({ length: Math.max(49, Math.floor(Math.sqrt(size))) }, () => inviteCode(random))
  const inviteCodes: readonly [string, ...ReadonlyArray<string>] = [inviteCode(random), ...codes]
  const members = new Map<string, CommunityMember>()
  while (members.size < size) {
    const next = member(random, { inviteCodes, roleIds })
    members.set(next.userId, next)
  }
  return {
    guildId: GuildId.make(snowflake(random, GUILD_BEGINS).toString()),
    members: Array.from(members.values()).sort(byJoinedAt),
    roleIds,
    inviteCodes
  }
}
