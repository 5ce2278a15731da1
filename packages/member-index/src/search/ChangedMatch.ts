import type { ChangedMember } from "../segment/ChangedMember.ts"
import { occursIn } from "../segment/EncodedText.ts"
import { millisOf } from "../segment/SnowflakeHalves.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"

/** Returns when an account was created, in whole Unix seconds, like `MemberMatch.userCreatedAt`. */
export const createdSecond = (millis: number, epoch: number): number => Math.floor((millis + epoch) / 1000)

/** Returns whether a changed member matches the query. */
export const matchesChanged = (changed: ChangedMember, query: CompiledQuery): boolean =>
  (changed.letters & query.letters) === query.letters && matchesText(changed, query) && matchesFilters(changed, query)

const matchesText = ({ member, text }: ChangedMember, { terms, user }: CompiledQuery): boolean =>
  terms.every(({ bytes, end }) => occursIn(text, 0, text.length, bytes, end)) || member.userId === user?.userId

const matchesFilters = ({ high, low, member }: ChangedMember, query: CompiledQuery): boolean => {
  if (member.joinedAt < query.joinedFrom || member.joinedAt > query.joinedTo) return false
  if (query.isBot !== undefined && member.isBot !== query.isBot) return false
  for (const role of query.roles) if (!member.roleIds.includes(role)) return false
  return anyOf(query.sources, member.joinSourceType) && anyOf(query.invites, member.sourceInviteCode) &&
    isCreatedWithin(millisOf(high, low), query)
}

const isCreatedWithin = (millis: number, { createdFrom, createdTo, epoch }: CompiledQuery): boolean => {
  const second = createdSecond(millis, epoch)
  return second >= createdFrom && second <= createdTo
}

const anyOf = <A>(wanted: ReadonlyArray<A>, value: A | undefined): boolean =>
  wanted.length === 0 || (value !== undefined && wanted.includes(value))
