/*
 * Columns that grow. Each number type has its own class with its own `push`. A shared `push` that meets arrays of
 * several types is compiled to code that is five times as slow, and millions of numbers are pushed.
 */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** Makes the class of the columns of a number type. A column doubles when it is full. Values beyond its length are undefined. */
const columnOf = <A extends Numbers>(empty: new(capacity: number) => A) =>
  class {
    length = 0
    values: A

    constructor(capacity: number) {
      this.values = new empty(capacity)
    }

    /** Reserves space for `more` values. */
    reserve(more: number): void {
      if (this.length + more <= this.values.length) return
      const grown = new empty(Math.max(this.length + more, this.values.length * 2))
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

    push(value: number): void {
      if (this.length === this.values.length) this.reserve(1)
      const values: Numbers = this.values
      values[this.length] = value
      this.length += 1
    }

    /** Appends the values of another column at these indexes. */
    pushEach(source: A, indexes: Uint16Array): void {
      const first = this.extend(indexes.length)
      const [values, from]: [Numbers, Numbers] = [this.values, source]
      for (let index = 0; index < indexes.length; index += 1) values[first + index] = from[indexes[index] ?? 0] ?? 0
    }

    forEach(visit: (value: number) => void): void {
      for (let index = 0; index < this.length; index += 1) visit(this.values[index] ?? 0)
    }
  }

export class ByteColumn extends columnOf(Uint8Array) {}

/** A column of 16-bit numbers, such as ordinals. */
export class ShortColumn extends columnOf(Uint16Array) {}

/** A column of 32-bit numbers. */
export class WordColumn extends columnOf(Uint32Array) {}

/** A column of 32-bit numbers that may be negative. */
export class SignedColumn extends columnOf(Int32Array) {}

export class DoubleColumn extends columnOf(Float64Array) {}
