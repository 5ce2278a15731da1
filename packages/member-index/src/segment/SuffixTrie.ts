import * as Bitset from "./Bitset.ts"
import { startsUnit } from "./EncodedText.ts"

/*
 * Which members of a segment have a text in a field: a burst trie over all suffixes of the fields.
 *
 * Under a root for each field and kind of place hang the suffixes that begin at such a place, byte by byte. A node with
 * few entries is a leaf; one with more is split by the next byte ("bursts"). Leaves hold nothing but the ordinals of
 * their members, one leaf after the other in the order of the trie, so those below any node are one range of a single
 * array. A node that a great part of the segment is under has their bitset besides.
 *
 * A needle is walked down from a root. Where it ends at a node, exactly the members below that node have it: nothing is
 * looked up in any text, however many they are. Where it goes on beyond a leaf, the few members of that leaf are
 * candidates, and their text decides.
 *
 *   root ── a ── n ── n ─┬─ a   leaf: 3 8 9 512 …
 *           bitset  bitset └─ e   leaf: 4 77 …          "ann" is the range of both
 */

/** At which places of a field a suffix of it begins. */
export const PLACE = { anywhere: 0, fieldStart: 1, wordStart: 2 } as const
export type Place = typeof PLACE[keyof typeof PLACE]

/** Username, global name and nickname, in the order of relevance. */
export const FIELDS = 3
const PLACES = 3
export const ROOTS = FIELDS * PLACES

/** The root of the suffixes that begin at such places of the field. */
export const rootOf = (field: number, place: Place): number => field * PLACES + place

/** The number of a bitset for a node that has none. */
export const NO_BITSET = 0xffff

/** The nodes of a trie, as columns. */
export interface SuffixTrieColumns {
  /**
   * By node: where its ordinals begin. They end where those of the next node begin: children stand side by side, in the
   * order of their bytes, and are followed by one node that is there for that end alone.
   */
  readonly start: Uint32Array
  /** By node: the byte that leads to it. */
  readonly byte: Uint8Array
  /** Which nodes are no leaves. The columns that follow have a place for each of these. */
  readonly isInner: Uint32Array
  /** By word of `isInner`: how many bits are set before it, so that the place of a node is a matter of one more word. */
  readonly innerBefore: Uint32Array
  readonly firstChild: Uint32Array
  readonly children: Uint16Array
  /** Which of the bitsets is the node's. */
  readonly bitset: Uint16Array
  readonly bitsets: ReadonlyArray<Uint32Array>
  /** The ordinals of all leaves. Within a leaf they ascend. */
  readonly ordinals: Uint16Array
}

export class SuffixTrie {
  readonly #columns: SuffixTrieColumns

  /** Of the last walk: whether all of the needle was walked, so that whatever is below has it. */
  isExact = false
  /** Of the last walk: the range of ordinals; an empty one where no member has the needle. */
  from = 0
  to = 0
  /** Of the last walk: the bitset of the members in the range, where it has one. */
  bits: Uint32Array | undefined

  constructor(columns: SuffixTrieColumns) {
    this.#columns = columns
  }

  get ordinals(): Uint16Array {
    return this.#columns.ordinals
  }

  bytes(): number {
    const { bitset, bitsets, byte, children, firstChild, innerBefore, isInner, ordinals, start } = this.#columns
    return [bitset, byte, children, firstChild, innerBefore, isInner, ordinals, start, ...bitsets]
      .reduce((sum, column) => sum + column.byteLength, 0)
  }

  /** Walks the bytes of the needle from `at` to `end` down from the root, as far as there are nodes; tells `isExact`. */
  walk(root: number, needle: Uint8Array, at: number, end: number): boolean {
    const { bitset, bitsets } = this.#columns
    let node = root
    let inner = this.#innerOf(node)
    for (let depth = at; depth < end; depth += 1) {
      if (inner === -1) {
        return this.#arrive(node, false, undefined)
      }
      const child = this.#childOf(inner, needle[depth] ?? 0)
      if (child === -1) {
        return this.#arriveNowhere()
      }
      node = child
      inner = this.#innerOf(node)
    }
    return this.#arrive(node, true, inner === -1 ? undefined : bitsets[bitset[inner] ?? NO_BITSET])
  }

  /**
   * Walks the needle from the place of it that leaves the fewest candidates. Only where the whole of it is walked from
   * its beginning is the answer exact.
   */
  walkBest(root: number, needle: Uint8Array, end: number): void {
    if (this.walk(root, needle, 0, end)) return
    let from = this.from
    let to = this.to
    for (let at = 1; at < end && to - from > FEW_CANDIDATES; at += 1) {
      if (!startsUnit(needle[at] ?? 0)) continue
      const isToTheEnd = this.walk(root, needle, at, end)
      if (this.to - this.from < to - from) {
        from = this.from
        to = this.to
      }
      // What is left is short and is found in ever more members.
      if (isToTheEnd) break
    }
    this.isExact = from === to
    this.from = from
    this.to = to
    this.bits = undefined
  }

  #arrive(node: number, isExact: boolean, bits: Uint32Array | undefined): boolean {
    const { start } = this.#columns
    this.isExact = isExact
    this.from = start[node] ?? 0
    this.to = start[node + 1] ?? 0
    this.bits = bits
    return isExact
  }

  #arriveNowhere(): boolean {
    this.isExact = true
    this.from = 0
    this.to = 0
    this.bits = undefined
    return true
  }

  /** The place of the node among those that are no leaves; -1 for a leaf. */
  #innerOf(node: number): number {
    const { innerBefore, isInner } = this.#columns
    const word = isInner[node >>> 5] ?? 0
    const bit = node & 31
    return (word & (1 << bit)) === 0 ? -1 : (innerBefore[node >>> 5] ?? 0) + Bitset.countBefore(word, bit)
  }

  #childOf(inner: number, wanted: number): number {
    const { byte, children, firstChild } = this.#columns
    const first = firstChild[inner] ?? 0
    let from = first
    let to = first + (children[inner] ?? 0)
    const end = to
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((byte[middle] ?? 0) < wanted) from = middle + 1
      else to = middle
    }
    return from < end && byte[from] === wanted ? from : -1
  }

  /** Puts what the last walk found into `target`: who has the needle, or who may have it. */
  uniteInto(target: Uint32Array, words: number): void {
    if (this.bits !== undefined) {
      Bitset.unite(target, this.bits, words)
      return
    }
    const { ordinals } = this.#columns
    for (let at = this.from; at < this.to; at += 1) Bitset.insert(target, ordinals[at] ?? 0)
  }
}

/** Candidates so few that looking for a place of the needle with fewer costs more than looking at their texts. */
const FEW_CANDIDATES = 16
