import { isWordStart } from "@community-messaging/domain/member-search/MemberText"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import type { IndexedMember } from "../IndexedMember.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"

/*
 * The classes of relevance, best first: the user whose id is the query; then by fit of the whole query, and per fit by
 * field. Within a class, the shorter field is better, then the smaller user id (`MemberMatch.relevance`).
 */

export const FIT = { userId: 0, equal: 1, prefix: 2, wordPrefix: 3, inside: 4, scatteredTerms: 5 } as const
export type Fit = typeof FIT[keyof typeof FIT]

const FITS: ReadonlyArray<Fit> = [FIT.equal, FIT.prefix, FIT.wordPrefix, FIT.inside, FIT.scatteredTerms]
const FIELDS = [0, 1, 2] as const

export interface RelevanceClass {
  readonly fit: Fit
  readonly field: number
  readonly number: number
}

const classNumber = (fit: Fit, field: number): number => fit * FIELDS.length + field

/** The class of the user whose id is the query. */
const USER_CLASS: RelevanceClass = { fit: FIT.userId, field: 0, number: classNumber(FIT.userId, 0) }

/** All classes, best first. */
export const CLASSES: ReadonlyArray<RelevanceClass> = [
  USER_CLASS,
  ...FITS.flatMap((fit) => FIELDS.map((field) => ({ fit, field, number: classNumber(fit, field) })))
]

const occursAtWordStart = (text: string, query: string): boolean => {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1)) {
    if (isWordStart(text, at)) return true
  }
  return false
}

const fitOf = (text: string, query: string): Fit => {
  if (text === query) return FIT.equal
  if (text.startsWith(query)) return FIT.prefix
  if (occursAtWordStart(text, query)) return FIT.wordPrefix
  return text.includes(query) ? FIT.inside : FIT.scatteredTerms
}

const textOf = (member: IndexedMember, field: number): string =>
  (field === 0 ? member.usernameText : field === 1 ? member.globalNameText : member.nicknameText) ?? ""

/** Returns the class of a member that matches the query. */
export const classOf = (member: IndexedMember, query: CompiledQuery): number => {
  if (member.userId === query.user?.userId) return USER_CLASS.number
  let best = Infinity
  for (const field of FIELDS) {
    const text = textOf(member, field)
    if (query.terms.some((term) => text.includes(term.text))) {
      best = Math.min(best, classNumber(fitOf(text, query.whole.text), field))
    }
  }
  return best
}

/** Returns the length of the field in code points. */
export const lengthOfField = (member: IndexedMember, field: number): number => codePointLength(textOf(member, field))
