import { SHORT_LENGTHS } from "./EncodedText.ts"

/*
 * The members of a segment that have a field, ordered by its length, then by user id: the order of members within a class
 * of relevance.
 */

/** The lengths of a field of a segment's members. */
export interface FieldLengths {
  /** By ordinal: its short length, see `shortLength`; 0 if the member does not have the field. */
  readonly short: Uint8Array
  /** The members that have the field, ordered by its length, then by user id. */
  readonly order: Uint16Array
}

/**
 * Orders the members whose field is not empty. `short` has the short length of the field by ordinal, `byUser` the ordinals
 * ordered by user id.
 */
export const orderByLength = (
  short: Uint8Array,
  byUser: Uint16Array,
  lengthOf: (ordinal: number) => number
): Uint16Array => {
  const next = new Uint32Array(SHORT_LENGTHS + 1)
  for (const length of short) next[length + 1] = (next[length + 1] ?? 0) + 1
  const empty = next[1] ?? 0
  next[1] = 0
  for (let length = 1; length < SHORT_LENGTHS; length += 1) {
    next[length + 1] = (next[length + 1] ?? 0) + (next[length] ?? 0)
  }
  const firstLong = next[SHORT_LENGTHS - 1] ?? 0
  const ordinals = new Uint16Array(short.length - empty)
  for (const ordinal of byUser) {
    const length = short[ordinal] ?? 0
    if (length === 0) continue
    const slot = next[length] ?? 0
    ordinals[slot] = ordinal
    next[length] = slot + 1
  }
  if (firstLong < ordinals.length) {
    // The sort is stable: fields of equal length remain ordered by user id.
    const long = Array.from(ordinals.subarray(firstLong), (ordinal) => ({ ordinal, length: lengthOf(ordinal) }))
      .sort((self, that) => self.length - that.length)
    ordinals.set(long.map(({ ordinal }) => ordinal), firstLong)
  }
  return ordinals
}
