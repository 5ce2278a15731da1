import { WordColumn } from "../segment/GrowingColumn.ts"

/*
 * Selects some ranks of many hits of one class without sorting all: quickselect reduces them to the requested ranks, and only
 * these are sorted. For first ranks, it reduces them to the best ones while they are found.
 */

const TWO_TO_32 = 0x1_0000_0000

/** Columns with more entries become smaller in the next use; `gathered` keeps its size. */
const KEPT_ENTRIES = 0x1_0000

/** Hits of one class of relevance. The caller chooses the number of each hit. */
export class Selection {
  /** Space in which the caller gathers hits before it adds some of them. */
  readonly gathered = new WordColumn(1024)
  #wanted = Infinity
  #size = 0
  /** The number of hits at which the best ones are selected. */
  #full = Infinity
  /** The last of the best hits when they were selected. */
  #lastMajor = Infinity
  #lastMinor = Infinity
  #hits = new Uint32Array(1024)
  /** The length and the upper half of the user id in one double. Exact, because lengths are below 2^21. */
  #major = new Float64Array(1024)
  #minor = new Uint32Array(1024)

  bytes(): number {
    return this.gathered.values.byteLength + this.#hits.byteLength + this.#major.byteLength + this.#minor.byteLength
  }

  /** A hit that is longer than this is not among the best, with any user id. */
  get longest(): number {
    return Math.floor(this.#lastMajor / TWO_TO_32)
  }

  /** Clears the hits, and sets how many of the best are wanted. */
  clear(wanted = Infinity): void {
    this.#wanted = wanted
    this.#size = 0
    // A few more are added before the best ones are selected, because each selection visits all of them.
    this.#full = wanted + (wanted >>> 2) + 4
    this.#lastMajor = Infinity
    this.#lastMinor = Infinity
    if (this.#hits.length > KEPT_ENTRIES) this.#resize(KEPT_ENTRIES)
  }

  /** Adds a hit. Returns false if it is not among the best. */
  add(hit: number, length: number, high: number, low: number): boolean {
    const major = length * TWO_TO_32 + high
    if (major > this.#lastMajor || (major === this.#lastMajor && low > this.#lastMinor)) return false
    if (this.#size === this.#hits.length) this.#resize(this.#size * 2)
    this.#hits[this.#size] = hit
    this.#major[this.#size] = major
    this.#minor[this.#size] = low
    this.#size += 1
    if (this.#size === this.#full) this.#keepBest()
    return true
  }

  /** Keeps the best hits alone. Moves the last of them to its rank. */
  #keepBest(): void {
    this.#split(0, this.#size, this.#wanted - 1)
    this.#size = this.#wanted
    this.#lastMajor = this.#major[this.#wanted - 1] ?? 0
    this.#lastMinor = this.#minor[this.#wanted - 1] ?? 0
  }

  /** Returns the hits at these ranks, ordered by length, then by user id. */
  ranks(from: number, upTo: number): ReadonlyArray<number> {
    const to = Math.min(upTo, this.#size)
    if (from >= to) return []
    this.#split(0, this.#size, from)
    this.#split(from, this.#size, to)
    return Array.from(this.#hits.subarray(from, to), (hit, index) => ({ hit, index: from + index }))
      .sort((self, that) => this.#compare(self.index, this.#major[that.index] ?? 0, this.#minor[that.index] ?? 0))
      .map(({ hit }) => hit)
  }

  /** Quickselect (Hoare): moves the smallest of the entries from `begin` to `end` before `rank`. */
  #split(begin: number, end: number, rank: number): void {
    let from = begin
    let to = end - 1
    while (from < to && rank <= to) {
      const pivot = (from + to) >>> 1
      const major = this.#major[pivot] ?? 0
      const minor = this.#minor[pivot] ?? 0
      let left = from
      let right = to
      while (left <= right) {
        while (this.#compare(left, major, minor) < 0) left += 1
        while (this.#compare(right, major, minor) > 0) right -= 1
        if (left <= right) {
          this.#swap(left, right)
          left += 1
          right -= 1
        }
      }
      if (rank <= right) to = right
      else if (rank >= left) from = left
      else return
    }
  }

  #compare(index: number, major: number, minor: number): number {
    return (this.#major[index] ?? 0) - major || (this.#minor[index] ?? 0) - minor
  }

  #swap(self: number, that: number): void {
    const hit = this.#hits[self] ?? 0
    const major = this.#major[self] ?? 0
    const minor = this.#minor[self] ?? 0
    this.#hits[self] = this.#hits[that] ?? 0
    this.#major[self] = this.#major[that] ?? 0
    this.#minor[self] = this.#minor[that] ?? 0
    this.#hits[that] = hit
    this.#major[that] = major
    this.#minor[that] = minor
  }

  #resize(capacity: number): void {
    const hits = new Uint32Array(capacity)
    const major = new Float64Array(capacity)
    const minor = new Uint32Array(capacity)
    hits.set(this.#hits.subarray(0, this.#size))
    major.set(this.#major.subarray(0, this.#size))
    minor.set(this.#minor.subarray(0, this.#size))
    this.#hits = hits
    this.#major = major
    this.#minor = minor
  }
}
