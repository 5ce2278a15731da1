import type { IndexLimits } from "../IndexLimits.ts"
import * as Bitset from "./Bitset.ts"
import { END } from "./EncodedText.ts"
import { ByteColumn, SignedColumn } from "./GrowingColumn.ts"
import type { FieldLengths } from "./LengthOrder.ts"
import {
  ByteCounts,
  BYTES,
  countByByte,
  countSuffixes,
  FIRST_COUNTS,
  moveBack,
  moveByByte,
  placeSuffixes,
  type SegmentText,
  type SortingSpace,
  writeOrdinals
} from "./SuffixSorting.ts"
import { SuffixTrie } from "./SuffixTrie.ts"
import { fieldOf, ROOTS } from "./TrieRoots.ts"

/*
 * Builds a suffix trie by a radix sort from the most significant byte (MSD) that is only as deep as the trie. It is a
 * generator that pauses after every few thousand entries: a segment of 65,536 members takes about 100 ms.
 */

/**
 * A node above more than one in this many of the segment's members has a bitset. For smaller nodes, reading the range
 * of ordinals in a search is cheap, and the bitset would need more memory than the ordinals.
 */
const DENSE_SHARE = 12

/**
 * The maximum size of leaves relative to those of a full segment. A small segment may have more candidates in a leaf,
 * because it has fewer members to check; so a guild's first search, which waits for its index, needs a less deep sort.
 */
const LARGEST_LEAVES = 4

/** Nodes at this depth are leaves, with any number of entries. Otherwise, equal names would be split endlessly. */
const MAX_DEPTH = 48

/** The number of members whose suffixes are counted or placed between two pauses is `entriesAtOnce` divided by this. */
const ENTRIES_PER_MEMBER = 32

export class SuffixTrieBuilding {
  readonly #text: SegmentText
  readonly #fields: ReadonlyArray<FieldLengths>
  readonly #members: number
  readonly #space: SortingSpace
  readonly #limits: IndexLimits
  readonly #leafEntries: number
  /** A temporary bitset for counting the members of a node. */
  readonly #counted: Uint32Array
  /** By depth: the counts of the current node. */
  readonly #counts = Array.from({ length: MAX_DEPTH }, () => new ByteCounts())
  readonly #below = new SignedColumn(1024)
  readonly #byte = new ByteColumn(1024)
  readonly #shortest = new ByteColumn(1024)
  readonly #children = new ByteColumn(1024)
  readonly #bitsets = new Map<number, Uint32Array>()
  /** The short lengths of the field of the current root. */
  #short: Uint8Array = new Uint8Array(0)
  #ordinals = 0
  /** The number of entries processed since the last pause. */
  #worked = 0

  constructor(
    text: SegmentText,
    fields: ReadonlyArray<FieldLengths>,
    space: SortingSpace,
    limits: IndexLimits
  ) {
    this.#text = text
    this.#fields = fields
    this.#members = text.starts.length - 1
    this.#space = space
    this.#counted = Bitset.make(this.#members)
    this.#limits = limits
    const timesSmaller = Math.floor(limits.segmentMembers / Math.max(1, this.#members))
    this.#leafEntries = limits.leafEntries * Math.max(1, Math.min(timesSmaller, LARGEST_LEAVES))
  }

  *build(): Generator<undefined, SuffixTrie> {
    const counts = yield* this.#placeAll()
    this.#allocate(ROOTS)
    let from = 0
    for (let root = 0; root < ROOTS; root += 1) {
      const ofRoot = new ByteCounts()
      let size = 0
      for (let byte = 0; byte < BYTES; byte += 1) {
        const count = counts[root * BYTES + byte] ?? 0
        if (count > 0) ofRoot.add(byte, count)
        size += count
      }
      this.#below.values[root] = this.#ordinals
      this.#short = this.#fields[fieldOf(root)]?.short ?? this.#short
      yield* this.#burst(root, from, ofRoot, 0)
      from += size
    }
    this.#below.values[ROOTS] = this.#ordinals
    return this.#trie()
  }

  /** Sorts all suffixes by root and first byte. Returns the counts. */
  *#placeAll(): Generator<undefined, Uint32Array> {
    const counts = new Uint32Array(FIRST_COUNTS)
    const membersAtOnce = Math.max(1, Math.floor(this.#limits.entriesAtOnce / ENTRIES_PER_MEMBER))
    for (let from = 0; from < this.#members; from += membersAtOnce) {
      countSuffixes(this.#text, from, Math.min(from + membersAtOnce, this.#members), counts)
      yield
    }
    const next = new Uint32Array(FIRST_COUNTS)
    let entries = 0
    for (let index = 0; index < FIRST_COUNTS; index += 1) {
      next[index] = entries
      entries += counts[index] ?? 0
    }
    this.#space.reserve(entries)
    yield
    for (const [field, { order }] of this.#fields.entries()) {
      for (let from = 0; from < order.length; from += membersAtOnce) {
        placeSuffixes(this.#text, field, order.subarray(from, from + membersAtOnce), next, this.#space)
        yield
      }
    }
    return counts
  }

  /** Adds adjacent nodes and the node that marks their end. Returns the number of the first. */
  #allocate(nodes: number): number {
    this.#byte.extend(nodes + 1)
    this.#shortest.extend(nodes + 1)
    this.#children.extend(nodes + 1)
    return this.#below.extend(nodes + 1)
  }

  /** Makes the children of the node, one for each byte. Its entries from `from` on are already sorted by that byte. */
  *#burst(
    node: number,
    from: number,
    { bytes, counts, different }: ByteCounts,
    depth: number
  ): Generator<undefined, void> {
    const first = this.#allocate(different)
    this.#below.values[node] = -first
    this.#children.values[node] = different
    const begin = this.#ordinals
    let at = from
    for (let child = 0; child < different; child += 1) {
      const byte = bytes[child] ?? 0
      const size = counts[byte] ?? 0
      this.#byte.values[first + child] = byte
      this.#below.values[first + child] = this.#ordinals
      // Its entries are in the order of their lengths.
      this.#shortest.values[first + child] = this.#short[this.#space.ordinals[at] ?? 0] ?? 0
      if (size > this.#leafEntries && depth + 1 < MAX_DEPTH) {
        yield* this.#grow(first + child, at, at + size, depth + 1)
      } else {
        this.#addLeaf(at, at + size)
        if (this.#shouldPause(size)) yield
      }
      at += size
    }
    this.#below.values[first + different] = this.#ordinals
    // An only child has the same members as its parent, so they share a bitset.
    const shared = different === 1 ? this.#bitsets.get(first) : undefined
    if (shared !== undefined) this.#bitsets.set(node, shared)
    // No search ends at a root.
    else if (depth > 0) this.#addBitset(node, begin)
  }

  /** Builds the nodes below this one from the entries from `from` to `to`: none if it is at the end of fields. */
  *#grow(node: number, from: number, to: number, depth: number): Generator<undefined, void> {
    const size = to - from
    if (this.#byte.values[node] === END) {
      const begin = this.#ordinals
      this.#addLeaf(from, to)
      this.#addBitset(node, begin)
      if (this.#shouldPause(2 * size)) yield
      return
    }
    const counts = this.#counts[depth] ?? new ByteCounts()
    counts.clear()
    const { entriesAtOnce } = this.#limits
    for (let begin = from; begin < to; begin += entriesAtOnce) {
      const end = Math.min(begin + entriesAtOnce, to)
      countByByte(this.#text.bytes, depth, this.#space, begin, end, counts)
      if (this.#shouldPause(end - begin)) yield
    }
    counts.arrange(from)
    if (counts.different > 1) {
      for (let begin = from; begin < to; begin += entriesAtOnce) {
        const end = Math.min(begin + entriesAtOnce, to)
        moveByByte(this.#space, begin, end, counts)
        if (this.#shouldPause(end - begin)) yield
      }
      moveBack(this.#space, from, to)
    }
    yield* this.#burst(node, from, counts, depth)
  }

  /** Gives the node a bitset of the ordinals that were written from `from` on, unless they are few. */
  #addBitset(node: number, from: number): void {
    if ((this.#ordinals - from) * DENSE_SHARE <= this.#members) return
    this.#counted.fill(0)
    insertAll(this.#counted, this.#space.ordinals, from, this.#ordinals)
    if (Bitset.count(this.#counted) * DENSE_SHARE > this.#members) this.#bitsets.set(node, this.#counted.slice())
  }

  /** Writes the members of these entries, each once, in the order of the entries. */
  #addLeaf(from: number, to: number): void {
    this.#ordinals = writeOrdinals(this.#space, from, to, this.#ordinals)
  }

  /** Returns whether it is time for a pause after this work. */
  #shouldPause(work: number): boolean {
    this.#worked += work
    if (this.#worked < this.#limits.entriesAtOnce) return false
    this.#worked = 0
    return true
  }

  /** Returns the trie, with its columns cut to their length. */
  #trie(): SuffixTrie {
    return new SuffixTrie({
      below: this.#below.values.slice(0, this.#below.length),
      byte: this.#byte.values.slice(0, this.#byte.length),
      shortest: this.#shortest.values.slice(0, this.#shortest.length),
      children: this.#children.values.slice(0, this.#children.length),
      bitsets: this.#bitsets,
      ordinals: this.#space.ordinals.slice(0, this.#ordinals)
    })
  }
}

const insertAll = (bits: Uint32Array, ordinals: Uint16Array, from: number, to: number): void => {
  for (let at = from; at < to; at += 1) Bitset.insert(bits, ordinals[at] ?? 0)
}
