import { END, fieldStart, isWordStart, startsUnit } from "./EncodedText.ts"
import { FIELDS, PLACE, rootOf, ROOTS } from "./TrieRoots.ts"

/*
 * The passes of the radix sort that builds a suffix trie. An entry is the start of a suffix in the segment's text. A
 * pass splits the entries of a node by their next byte: it counts them first. Entries with the same byte stay in the order
 * in which they were placed, the order of `FieldLengths`. Loops are in separate functions that take a range, so that their
 * callers can pause in between.
 */

export const BYTES = 256

/** The text of a segment: the fields of each member, each ending with `END`, from `starts[ordinal]` on. */
export interface SegmentText {
  readonly bytes: Uint8Array
  /** One start per member, and the end of the text. */
  readonly starts: Uint32Array
}

/** The working memory of the sort. Reused for all segments, because it is large. */
export class SortingSpace {
  entries = new Uint32Array(0)
  /** By entry: the member. From the first entry on, the ordinals of the leaves replace them. */
  ordinals = new Uint16Array(0)
  movedEntries = new Uint32Array(0)
  movedOrdinals = new Uint16Array(0)
  /** The bytes by which entries were counted, so that moving the entries does not read the text again. */
  keys = new Uint8Array(0)

  bytes(): number {
    return this.entries.byteLength + this.ordinals.byteLength + this.movedEntries.byteLength +
      this.movedOrdinals.byteLength + this.keys.byteLength
  }

  reserve(entries: number): void {
    if (this.entries.length >= entries) return
    this.entries = new Uint32Array(entries)
    this.ordinals = new Uint16Array(entries)
    this.movedEntries = new Uint32Array(entries)
    this.movedOrdinals = new Uint16Array(entries)
    this.keys = new Uint8Array(entries)
  }
}

/** Counts the suffixes of the members from `from` to `to` by root and first byte. */
export const countSuffixes = (text: SegmentText, from: number, to: number, counts: Uint32Array): void => {
  const { bytes, starts } = text
  let at = starts[from] ?? 0
  const end = starts[to] ?? 0
  let field = 0
  let start = at
  for (; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === END) {
      field = (field + 1) % FIELDS
      start = at + 1
    } else if (startsUnit(byte)) {
      const root = rootOf(field, PLACE.anywhere) * BYTES + byte
      counts[root] = (counts[root] ?? 0) + 1
      if (isWordStart(bytes, start, at)) {
        const place = rootOf(field, at === start ? PLACE.fieldStart : PLACE.wordStart) * BYTES + byte
        counts[place] = (counts[place] ?? 0) + 1
      }
    }
  }
}

/**
 * Writes the suffixes of a field of these members, in their order, to the positions in `next`, by root and first byte. The
 * suffixes of a member are adjacent.
 */
export const placeSuffixes = (
  { bytes, starts }: SegmentText,
  field: number,
  members: Uint16Array,
  next: Uint32Array,
  { entries, ordinals }: SortingSpace
): void => {
  const anywhere = rootOf(field, PLACE.anywhere) * BYTES
  const fieldStarts = rootOf(field, PLACE.fieldStart) * BYTES
  const wordStarts = rootOf(field, PLACE.wordStart) * BYTES
  for (const ordinal of members) {
    const start = fieldStart(bytes, starts[ordinal] ?? 0, field)
    for (let at = start;; at += 1) {
      const byte = bytes[at] ?? END
      if (byte === END) break
      if (!startsUnit(byte)) continue
      const slot = next[anywhere + byte] ?? 0
      entries[slot] = at
      ordinals[slot] = ordinal
      next[anywhere + byte] = slot + 1
      if (isWordStart(bytes, start, at)) {
        const place = (at === start ? fieldStarts : wordStarts) + byte
        const another = next[place] ?? 0
        entries[another] = at
        ordinals[another] = ordinal
        next[place] = another + 1
      }
    }
  }
}

/**
 * Counts entries by byte. Few of the 256 bytes occur, and most nodes have few entries, so the bytes that occur are
 * listed and loops visit only these.
 */
export class ByteCounts {
  /** The bytes that occur. `different` is their number. */
  readonly bytes = new Uint8Array(BYTES)
  readonly counts = new Uint32Array(BYTES)
  /** By byte: the position of its next entry. */
  readonly next = new Uint32Array(BYTES)
  different = 0

  clear(): void {
    for (let index = 0; index < this.different; index += 1) this.counts[this.bytes[index] ?? 0] = 0
    this.different = 0
  }

  add(byte: number, count: number): void {
    const before = this.counts[byte] ?? 0
    if (before === 0) {
      this.bytes[this.different] = byte
      this.different += 1
    }
    this.counts[byte] = before + count
  }

  /** Sorts the bytes, and sets `next` so that entries are grouped by byte from `from` on. */
  arrange(from: number): void {
    this.bytes.subarray(0, this.different).sort()
    let slot = from
    for (let index = 0; index < this.different; index += 1) {
      const byte = this.bytes[index] ?? 0
      this.next[byte] = slot
      slot += this.counts[byte] ?? 0
    }
  }
}

/** Counts the entries from `from` to `to` by their byte at this depth. */
export const countByByte = (
  bytes: Uint8Array,
  depth: number,
  { entries, keys }: SortingSpace,
  from: number,
  to: number,
  counts: ByteCounts
): void => {
  for (let index = from; index < to; index += 1) {
    const byte = bytes[(entries[index] ?? 0) + depth] ?? 0
    keys[index] = byte
    counts.add(byte, 1)
  }
}

/** Copies the entries from `from` to `to` to the positions in `counts`, by the bytes by which they were counted. */
export const moveByByte = (
  { entries, keys, movedEntries, movedOrdinals, ordinals }: SortingSpace,
  from: number,
  to: number,
  { next }: ByteCounts
): void => {
  for (let index = from; index < to; index += 1) {
    const byte = keys[index] ?? 0
    const slot = next[byte] ?? 0
    movedEntries[slot] = entries[index] ?? 0
    movedOrdinals[slot] = ordinals[index] ?? 0
    next[byte] = slot + 1
  }
}

/** Copies the entries from `from` to `to` back in their new order. */
export const moveBack = (
  { entries, movedEntries, movedOrdinals, ordinals }: SortingSpace,
  from: number,
  to: number
): void => {
  entries.set(movedEntries.subarray(from, to), from)
  ordinals.set(movedOrdinals.subarray(from, to), from)
}

/**
 * Writes the members of the entries from `from` to `to`, each once, at `at`, which is not behind `from`. Returns where they
 * end.
 */
export const writeOrdinals = ({ ordinals }: SortingSpace, from: number, to: number, at: number): number => {
  let end = at
  let last = -1
  for (let index = from; index < to; index += 1) {
    const ordinal = ordinals[index] ?? 0
    if (ordinal === last) continue
    ordinals[end] = ordinal
    end += 1
    last = ordinal
  }
  return end
}

/** The number of counts by root and first byte. */
export const FIRST_COUNTS = ROOTS * BYTES
