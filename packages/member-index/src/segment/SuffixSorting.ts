import { END, isWordStart, startsUnit } from "./EncodedText.ts"
import { FIELDS, PLACE, rootOf, ROOTS } from "./SuffixTrie.ts"

/*
 * The passes of the radix sort that makes a suffix trie: an entry is where a suffix begins in the segment's text. A pass
 * takes the entries of a node apart by their next byte, counting first, and leaves those of one byte in their order:
 * by place in the text, so by ordinal. Loops stand in functions of their own, and take a range, so that whoever calls
 * them may pause in between.
 */

export const BYTES = 256

/** The text of a segment: for each member its fields, each ended by `END`, from `starts` of its ordinal on. */
export interface SegmentText {
  readonly bytes: Uint8Array
  /** One more than there are members: the last is where the text ends. */
  readonly starts: Uint32Array
}

/** What the sort needs besides its result. Kept from segment to segment, for its size. */
export class SortingSpace {
  entries = new Uint32Array(0)
  moved = new Uint32Array(0)
  /** The bytes that entries were counted by, so that they need not be fetched from the text again to move these. */
  keys = new Uint8Array(0)
  ordinals = new Uint16Array(0)

  bytes(): number {
    return this.entries.byteLength + this.moved.byteLength + this.keys.byteLength + this.ordinals.byteLength
  }

  reserve(entries: number): void {
    if (this.entries.length >= entries) return
    this.entries = new Uint32Array(entries)
    this.moved = new Uint32Array(entries)
    this.keys = new Uint8Array(entries)
    this.ordinals = new Uint16Array(entries)
  }
}

const BLOCK_BITS = 6

/**
 * Whose the places of a text are. A table by place would be twice as large as the text, and each look at it would miss
 * the processor's caches; one by blocks of 64 bytes stays in the first, and leaves few members to step over.
 */
export class TextOwners {
  readonly #starts: Uint32Array
  /** By block: the member whose text its first byte is in. */
  readonly #first: Uint16Array

  constructor({ bytes, starts }: SegmentText) {
    this.#starts = starts
    this.#first = new Uint16Array((bytes.length >>> BLOCK_BITS) + 1)
    let ordinal = 0
    for (let block = 0; block < this.#first.length; block += 1) {
      const at = block << BLOCK_BITS
      while (ordinal + 2 < starts.length && (starts[ordinal + 1] ?? 0) <= at) ordinal += 1
      this.#first[block] = ordinal
    }
  }

  ownerOf(at: number): number {
    let ordinal = this.#first[at >>> BLOCK_BITS] ?? 0
    while ((this.#starts[ordinal + 1] ?? 0) <= at) ordinal += 1
    return ordinal
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

/** Puts the suffixes of the members from `from` to `to` where `next` says, by root and first byte. */
export const placeSuffixes = (
  text: SegmentText,
  from: number,
  to: number,
  next: Uint32Array,
  space: SortingSpace
): void => {
  const { bytes, starts } = text
  const { entries } = space
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
      const slot = next[root] ?? 0
      entries[slot] = at
      next[root] = slot + 1
      if (isWordStart(bytes, start, at)) {
        const place = rootOf(field, at === start ? PLACE.fieldStart : PLACE.wordStart) * BYTES + byte
        const another = next[place] ?? 0
        entries[another] = at
        next[place] = another + 1
      }
    }
  }
}

/**
 * How many entries have which byte. Of the 256 few occur, and most nodes have few entries: so those that occur are
 * listed, and nothing goes over all of them.
 */
export class ByteCounts {
  /** The bytes that occur, as many as `different` tells. */
  readonly bytes = new Uint8Array(BYTES)
  readonly counts = new Uint32Array(BYTES)
  /** By byte: where the next of its entries goes. */
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

  /** Puts the bytes in order, and the entries of each behind those of the bytes before it, from `from` on. */
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

/** Counts the entries from `from` to `to` by their byte at that depth. */
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

/** Copies the entries from `from` to `to` to where `counts` says, by the bytes that they were counted by. */
export const moveByByte = (
  { entries, keys, moved }: SortingSpace,
  from: number,
  to: number,
  { next }: ByteCounts
): void => {
  for (let index = from; index < to; index += 1) {
    const byte = keys[index] ?? 0
    const slot = next[byte] ?? 0
    moved[slot] = entries[index] ?? 0
    next[byte] = slot + 1
  }
}

/** Copies the entries from `from` to `to` back to where they were, in their new order. */
export const moveBack = ({ entries, moved }: SortingSpace, from: number, to: number): void => {
  for (let index = from; index < to; index += 1) entries[index] = moved[index] ?? 0
}

/** How many counts there are by root and first byte. */
export const FIRST_COUNTS = ROOTS * BYTES
