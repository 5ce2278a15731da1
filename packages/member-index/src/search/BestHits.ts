const TWO_TO_32 = 0x1_0000_0000

/** The best of the added hits, ordered by length, then by user id. Designed for some hundreds of hits. */
export class BestHits {
  #wanted = 0
  #size = 0
  #longest = Infinity
  readonly #hits: Uint32Array
  /** The length and the upper half of the user id in one double. Exact, because lengths are below 2^21. */
  readonly #major: Float64Array
  readonly #minor: Uint32Array

  constructor(capacity: number) {
    this.#hits = new Uint32Array(capacity)
    this.#major = new Float64Array(capacity)
    this.#minor = new Uint32Array(capacity)
  }

  get wanted(): number {
    return this.#wanted
  }

  /** A hit that is longer than this is not among the best, with any user id. */
  get longest(): number {
    return this.#longest
  }

  get hits(): Uint32Array {
    return this.#hits.subarray(0, this.#size)
  }

  bytes(): number {
    return this.#hits.byteLength + this.#major.byteLength + this.#minor.byteLength
  }

  /** Clears the hits and sets the number of best hits, at most the capacity. */
  clear(wanted: number): void {
    this.#wanted = wanted
    this.#size = 0
    this.#longest = Infinity
  }

  /**
   * Adds a hit if it is among the best. Adding the same hit again has no effect. Returns false if it is not among the
   * best.
   */
  add(hit: number, length: number, high: number, low: number): boolean {
    const major = length * TWO_TO_32 + high
    const place = this.#placeOf(major, low)
    if (place === this.#wanted) return false
    if (place > 0 && this.#hits[place - 1] === hit) return true
    const end = Math.min(this.#size, this.#wanted - 1)
    this.#hits.copyWithin(place + 1, place, end)
    this.#major.copyWithin(place + 1, place, end)
    this.#minor.copyWithin(place + 1, place, end)
    this.#hits[place] = hit
    this.#major[place] = major
    this.#minor[place] = low
    this.#size = end + 1
    if (this.#size === this.#wanted) this.#longest = Math.floor((this.#major[end] ?? 0) / TWO_TO_32)
    return true
  }

  /** Returns the position after all hits that are equal or better. */
  #placeOf(major: number, minor: number): number {
    let from = 0
    let to = this.#size
    while (from < to) {
      const middle = (from + to) >>> 1
      const own = this.#major[middle] ?? 0
      if (own > major || (own === major && (this.#minor[middle] ?? 0) > minor)) to = middle
      else from = middle + 1
    }
    return from
  }
}
