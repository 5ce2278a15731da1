import { contains, fieldStart } from "../segment/EncodedText.ts"
import { FIELDS, PLACE, type Place } from "../segment/TrieRoots.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"

/*
 * The classes of relevance, best first: the user whose id is the query; then by fit of the whole query, and per fit by
 * field. Within a class, the shorter field is better, then the smaller user id (`MemberMatch.relevance`).
 */

/** Where in the field the whole query begins, and whether it must reach the field's end. */
export interface WholeFit {
  readonly place: Place
  readonly isToTheEnd: boolean
}

export interface RelevanceClass {
  /** With single terms, the field has at least one of them. */
  readonly fit: "user id" | WholeFit | "single terms"
  readonly field: number
}

const FITS: ReadonlyArray<RelevanceClass["fit"]> = [
  { place: PLACE.fieldStart, isToTheEnd: true },
  { place: PLACE.fieldStart, isToTheEnd: false },
  { place: PLACE.wordStart, isToTheEnd: false },
  { place: PLACE.anywhere, isToTheEnd: false },
  "single terms"
]

/** All classes, best first. */
export const CLASSES: ReadonlyArray<RelevanceClass> = [
  { fit: "user id", field: 0 },
  ...FITS.flatMap((fit) => Array.from({ length: FIELDS }, (_, field) => ({ fit, field })))
]

/**
 * Returns the place in `CLASSES` of a member that matches the query. `text` has the member's fields, each ending with `END`;
 * `isUser` says whether its id is the query.
 */
export const classOf = (text: Uint8Array, isUser: boolean, { terms, whole }: CompiledQuery): number =>
  CLASSES.findIndex(({ field, fit }) => {
    if (fit === "user id") return isUser
    const start = fieldStart(text, 0, field)
    return fit === "single terms"
      ? terms.some(({ bytes, end }) => contains(text, start, PLACE.anywhere, bytes, end))
      : contains(text, start, fit.place, whole.bytes, fit.isToTheEnd ? whole.end + 1 : whole.end)
  })
