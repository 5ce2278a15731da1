/*
 * Columns that grow. Each number type has its own class with its own `push`. A shared `push` that meets arrays of
 * several types is compiled to code that is five times as slow, and millions of numbers are pushed.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** A column that doubles when it is full. Values beyond its length are undefined. */
abstract class GrowingColumn<A extends Numbers> {
  length = 0
  values: A

  constructor(values: A) {
    this.values = values
  }

  protected abstract empty(capacity: number): A

  /** Reserves space for `more` values. */
  reserve(more: number): void {
    if (this.length + more <= this.values.length) return
    const grown = this.empty(Math.max(this.length + more, this.values.length * 2))
    grown.set(this.values)
    this.values = grown
  }

  /** Extends the column by `more` values that the caller must set. Returns the index of the first. */
  extend(more: number): number {
    this.reserve(more)
    const first = this.length
    this.length += more
    return first
  }

  bytes(): number {
    return this.values.byteLength
  }
}

export class ByteColumn extends GrowingColumn<Uint8Array> {
  constructor(capacity: number) {
    super(new Uint8Array(capacity))
  }

  protected empty(capacity: number): Uint8Array {
    return new Uint8Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length] = value
    this.length += 1
  }
}

/** A column of 16-bit numbers, such as ordinals. */
export class ShortColumn extends GrowingColumn<Uint16Array> {
  constructor(capacity: number) {
    super(new Uint16Array(capacity))
  }

  protected empty(capacity: number): Uint16Array {
    return new Uint16Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length] = value
    this.length += 1
  }
}

/** A column of 32-bit numbers. */
export class WordColumn extends GrowingColumn<Uint32Array> {
  constructor(capacity: number) {
    super(new Uint32Array(capacity))
  }

  protected empty(capacity: number): Uint32Array {
    return new Uint32Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length] = value
    this.length += 1
  }
}

export class DoubleColumn extends GrowingColumn<Float64Array> {
  constructor(capacity: number) {
    super(new Float64Array(capacity))
  }

  protected empty(capacity: number): Float64Array {
    return new Float64Array(capacity)
  }

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(1)
    this.values[this.length] = value
    this.length += 1
  }
}
