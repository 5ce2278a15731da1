/** The size up to which small pieces are joined, in bytes. */
export const JOINED_BYTES = 4096

/** The maximum number of small pieces that are joined. */
export const JOINED_PIECES = 512

/**
 * Joins the small pieces of a body. Reading a piece costs about as much as reading a kilobyte, so a body in chunks of
 * one byte would block the event loop for long. The first piece is never joined, because nearly all bodies have only
 * one.
 */
export class SmallPieces {
  #isStarted = false
  #joined: Buffer | undefined
  #length = 0
  #count = 0

  /** Adds a piece. Returns the bytes to read now, in order. */
  add(piece: Uint8Array): ReadonlyArray<Uint8Array> {
    const isFirst = !this.#isStarted
    this.#isStarted = true
    if (isFirst || piece.length >= JOINED_BYTES) return [...this.end(), piece]
    const isFull = this.#count === JOINED_PIECES || this.#length + piece.length > JOINED_BYTES
    const full = isFull ? this.end() : []
    this.#joined ??= Buffer.allocUnsafe(JOINED_BYTES)
    this.#joined.set(piece, this.#length)
    this.#length += piece.length
    this.#count += 1
    return full
  }

  /** Ends the body. Returns the remaining bytes. */
  end(): ReadonlyArray<Uint8Array> {
    const left = this.#joined?.subarray(0, this.#length)
    this.#joined = undefined
    this.#length = 0
    this.#count = 0
    return left === undefined ? [] : [left]
  }
}
