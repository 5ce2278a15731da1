/*
 * The roots of a suffix trie: one for each field and kind of place at which a suffix begins.
 */

/** The places of a field at which a suffix begins. */
export const PLACE = { anywhere: 0, fieldStart: 1, wordStart: 2 } as const
export type Place = typeof PLACE[keyof typeof PLACE]

/** The number of fields: username, global name and nickname, in order of relevance. */
export const FIELDS = 3
const PLACES = 3
export const ROOTS = FIELDS * PLACES

/** Returns the root of the suffixes that begin at this kind of place of the field. */
export const rootOf = (field: number, place: Place): number => field * PLACES + place

/** Returns the field of a root. */
export const fieldOf = (root: number): number => Math.floor(root / PLACES)
