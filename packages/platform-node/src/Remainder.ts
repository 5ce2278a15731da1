/** Copies what remains of a file without its skipped parts. They are copied in runs, because a file can have a million parts. */
export class Remainder {
  readonly #bytes: Uint8Array
  readonly #copied: Uint8Array
  #length = 0
  #run = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#copied = new Uint8Array(bytes.length)
  }

  /** Skips the bytes from `start` to before `end`, which follow all that were skipped earlier. */
  skip(start: number, end: number): void {
    if (start > this.#run) {
      const run = this.#bytes.subarray(this.#run, start)
      this.#copied.set(run, this.#length)
      this.#length += run.length
    }
    this.#run = end
  }

  /** Returns what remains, up to `end`. */
  until(end: number): Uint8Array {
    this.skip(end, end)
    return this.#copied.subarray(0, this.#length)
  }
}
