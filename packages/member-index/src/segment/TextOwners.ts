import type { SegmentText, SortingSpace } from "./SuffixSorting.ts"

const BLOCK_BITS = 6

/**
 * Finds the member of a position in the text. A table by position would be twice as large as the text, and each access
 * would miss the processor's caches. A table by blocks of 64 bytes fits into the L1 cache, and leaves few members to
 * check.
 */
export class TextOwners {
  readonly #starts: Uint32Array
  /** By block: the member of its first byte. */
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

/** Writes the owners of the entries, each once, at `at`. Returns where they end. */
export const writeOwners = (space: SortingSpace, from: number, to: number, owners: TextOwners, at: number): number => {
  const { entries, ordinals } = space
  let end = at
  let last = -1
  for (let index = from; index < to; index += 1) {
    const ordinal = owners.ownerOf(entries[index] ?? 0)
    if (ordinal === last) continue
    ordinals[end] = ordinal
    end += 1
    last = ordinal
  }
  return end
}
