import { UserId } from "@community-messaging/domain/account/User"
import type { RoleId } from "@community-messaging/domain/guild/Role"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { Option, Schema } from "effect"
import { BYTES_PER_UNIT, encodeInto, END, letterBits } from "../segment/EncodedText.ts"
import { halvesOf } from "../segment/SnowflakeHalves.ts"

/** A text to search for. */
export interface Needle {
  /** The text's bytes, followed by `END`. */
  readonly bytes: Uint8Array
  /** The number of bytes without `END`. */
  readonly end: number
  /** The text's length in code points. */
  readonly length: number
}

/** The user whose id equals the query's text. */
export interface QueriedUser {
  readonly userId: UserId
  readonly high: number
  readonly low: number
}

/** A query in the form that segments use. Missing bounds are infinite. */
export interface CompiledQuery {
  readonly whole: Needle
  readonly terms: ReadonlyArray<Needle>
  /** The distinct terms, longest first, because a long term is usually rare. */
  readonly termsByLength: ReadonlyArray<Needle>
  /** The letters of all terms, see `letterBits`; 0 if a user can match by id. */
  readonly letters: number
  readonly user: QueriedUser | undefined
  readonly roles: ReadonlyArray<RoleId>
  readonly sources: ReadonlyArray<number>
  readonly invites: ReadonlyArray<string>
  readonly isBot: boolean | undefined
  readonly joinedFrom: number
  readonly joinedTo: number
  /** Whole Unix seconds. */
  readonly createdFrom: number
  readonly createdTo: number
  /** The epoch of user ids, in Unix milliseconds. */
  readonly epoch: number
}

const needle = (text: string): Needle => {
  const bytes = new Uint8Array(text.length * BYTES_PER_UNIT + 1)
  const end = encodeInto(bytes, 0, text)
  bytes[end] = END
  return { bytes, end, length: codePointLength(text) }
}

const isUserId = Schema.is(UserId)

const queriedUser = (text: string): QueriedUser | undefined => {
  if (!isUserId(text)) return undefined
  const { high, low } = halvesOf(text)
  return { userId: text, high, low }
}

export const compile = (query: MemberQuery, epoch: number): CompiledQuery => {
  const text = normalise(query.text)
  const user = queriedUser(text)
  const needles = [...new Set(terms(text))].map(needle)
  return {
    whole: needle(text),
    terms: needles,
    termsByLength: needles.toSorted((self, that) => that.end - self.end),
    letters: user === undefined ? needles.reduce((letters, { bytes, end }) => letters | letterBits(bytes, end), 0) : 0,
    user,
    roles: query.roleIds,
    sources: query.joinSourceTypes,
    invites: query.sourceInviteCodes,
    isBot: Option.getOrUndefined(query.isBot),
    joinedFrom: Option.getOrElse(query.joinedAtGte, () => -Infinity),
    joinedTo: Option.getOrElse(query.joinedAtLte, () => Infinity),
    createdFrom: Option.getOrElse(query.userCreatedAtGte, () => -Infinity),
    createdTo: Option.getOrElse(query.userCreatedAtLte, () => Infinity),
    epoch
  }
}
