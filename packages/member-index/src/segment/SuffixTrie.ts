import * as Bitset from "./Bitset.ts"
import { startsUnit } from "./EncodedText.ts"

/*
 * The members of a segment that have a text in a field: a burst trie over all suffixes of the fields.
 *
 * There is a root for each field and kind of place. Below it are the suffixes that begin at such a place, byte by byte.
 * A node with few entries is a leaf; a node with more is split by the next byte ("bursts"). Leaves contain only the
 * ordinals of their members, leaf after leaf in the order of the trie, so the ordinals below any node are one range of
 * a single array. Within a leaf, members are ordered by the length of the field, then by user id, as they are ranked
 * within a class of relevance. A node above a large part of the segment also has a bitset of its members.
 *
 * A search walks the needle down from a root. If the needle ends at a node, exactly the members below that node have
 * it, and no text is read. If the needle continues beyond a leaf, the few members of that leaf are candidates, and
 * their text must be checked.
 *
 *   root ── a ── n ── n ─┬─ a   leaf: 3 8 9 512 …
 *           bitset  bitset └─ e   leaf: 4 77 …          "ann" is the range of both
 */

/** The end of a walk that found no member. */
const NOWHERE = -1

/** The nodes of a trie, as columns. */
export interface SuffixTrieColumns {
  /**
   * By node: where the ordinals of a leaf begin, or the first child of another node, as a negative number. Ordinals end where
   * those of the next node begin: siblings are adjacent, in the order of their bytes, followed by one additional node that
   * only marks the end.
   */
  readonly below: Int32Array
  /** By node: the byte that leads to it. */
  readonly byte: Uint8Array
  /** By node: the short length of the shortest field below it. */
  readonly shortest: Uint8Array
  /** By node: the number of its children. */
  readonly children: Uint8Array
  /** The bitsets of some nodes. */
  readonly bitsets: ReadonlyMap<number, Uint32Array>
  /** The ordinals of all leaves. */
  readonly ordinals: Uint16Array
}

/** Reads the ordinals of a leaf. Returns the longest field, as a short length, that the caller wants from other leaves. */
export type LeafVisitor = (from: number, to: number) => number

export class SuffixTrie {
  readonly #columns: SuffixTrieColumns

  /** Of the last walk: whether the whole needle was walked, so that all members below have it. */
  isExact = false
  /** Of the last walk: the range of ordinals; empty if no member has the needle. */
  from = 0
  to = 0
  /** Of the last walk: the bitset of the members in the range, if there is one. */
  bits: Uint32Array | undefined
  /** Of the last walk: the node where it ended. */
  #node = NOWHERE

  constructor(columns: SuffixTrieColumns) {
    this.#columns = columns
  }

  get ordinals(): Uint16Array {
    return this.#columns.ordinals
  }

  bytes(): number {
    const { bitsets, ...columns } = this.#columns
    // An only child shares its bitset with its parent.
    return [...Object.values(columns), ...new Set(bitsets.values())]
      .reduce((sum, column) => sum + column.byteLength, 0)
  }

  /**
   * Walks the bytes of the needle from `at` to `end` down from the root, as far as there are nodes. Returns `isExact`.
   */
  walk(root: number, needle: Uint8Array, at: number, end: number): boolean {
    let node = root
    for (let depth = at; depth < end; depth += 1) {
      if (this.#isLeaf(node)) return this.#arrive(node, false)
      node = this.#childOf(node, needle[depth] ?? 0)
      if (node === NOWHERE) return this.#arriveNowhere()
    }
    return this.#arrive(node, true)
  }

  /**
   * Walks the needle from the position in it that leaves the fewest candidates. The result is exact only if the whole
   * needle is walked from its beginning.
   */
  walkBest(root: number, needle: Uint8Array, end: number): void {
    if (this.walk(root, needle, 0, end)) return
    let { from, to } = this
    let node = this.#node
    for (let at = 1; at < end && to - from > FEW_CANDIDATES; at += 1) {
      if (!startsUnit(needle[at] ?? 0)) continue
      const isToTheEnd = this.walk(root, needle, at, end)
      if (this.to - this.from < to - from) {
        ;({ from, to } = this)
        node = this.#node
      }
      // The rest is shorter, so it would be found in more members.
      if (isToTheEnd) break
    }
    if (node === NOWHERE) this.#arriveNowhere()
    else this.#arrive(node, from === to)
  }

  #arrive(node: number, isExact: boolean): boolean {
    this.#node = node
    this.isExact = isExact
    this.from = this.#startOf(node)
    this.to = this.#startOf(node + 1)
    this.bits = isExact ? this.#columns.bitsets.get(node) : undefined
    return isExact
  }

  #arriveNowhere(): boolean {
    this.#node = NOWHERE
    this.isExact = true
    this.from = 0
    this.to = 0
    this.bits = undefined
    return true
  }

  /**
   * Visits the leaves of the last walk's result that have fields of at most this short length: where the ordinals of each
   * begin and end. The visitor returns the longest field that is still wanted.
   */
  forEachLeaf(longest: number, visit: LeafVisitor): void {
    if (this.#node === NOWHERE) return
    if (this.isExact) this.#visitLeaves(this.#node, longest, visit)
    else visit(this.from, this.to)
  }

  /** Visits the leaves below the node. Returns the longest field that is still wanted. */
  #visitLeaves(node: number, longest: number, visit: LeafVisitor): number {
    if (this.#isLeaf(node)) return visit(this.#startOf(node), this.#startOf(node + 1))
    const { below, children, shortest } = this.#columns
    const first = -(below[node] ?? 0)
    const end = first + (children[node] ?? 0)
    let wanted = longest
    for (let child = first; child < end; child += 1) {
      if ((shortest[child] ?? 0) <= wanted) wanted = this.#visitLeaves(child, wanted, visit)
    }
    return wanted
  }

  #isLeaf(node: number): boolean {
    return (this.#columns.below[node] ?? 0) >= 0
  }

  /** Returns where the ordinals below the node begin. */
  #startOf(node: number): number {
    const { below } = this.#columns
    let start = below[node] ?? 0
    while (start < 0) start = below[-start] ?? 0
    return start
  }

  #childOf(node: number, wanted: number): number {
    const { below, byte, children } = this.#columns
    const first = -(below[node] ?? 0)
    const end = first + (children[node] ?? 0)
    let from = first
    let to = end
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((byte[middle] ?? 0) < wanted) from = middle + 1
      else to = middle
    }
    return from < end && byte[from] === wanted ? from : NOWHERE
  }

  /** Adds the result of the last walk to `target`: the members that have, or may have, the needle. */
  uniteInto(target: Uint32Array): void {
    if (this.bits !== undefined) {
      Bitset.unite(target, this.bits)
      return
    }
    const { ordinals } = this.#columns
    for (let at = this.from; at < this.to; at += 1) Bitset.insert(target, ordinals[at] ?? 0)
  }
}

/** If there are at most this many candidates, checking their texts is cheaper than searching for a better position. */
const FEW_CANDIDATES = 16
