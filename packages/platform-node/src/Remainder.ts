/**
 * A copy of a file without its skipped parts. What is between them is moved in runs, because a file can have a million
 * parts.
 */
export class Remainder {
  readonly #bytes: Uint8Array
  #length = 0
  #run = 0

  constructor(bytes: Uint8Array) {
    // Not `slice`: that of a Buffer copies nothing.
    this.#bytes = new Uint8Array(bytes)
  }

  /** Skips the bytes from `start` to before `end`, which follow all that were skipped earlier. */
  skip(start: number, end: number): void {
    if (start > this.#run) {
      this.#bytes.copyWithin(this.#length, this.#run, start)
      this.#length += start - this.#run
    }
    this.#run = end
  }

  /** Returns what remains, up to `end`. */
  until(end: number): Uint8Array {
    this.skip(Math.min(end, this.#bytes.length), end)
    return this.#bytes.subarray(0, this.#length)
  }
}
