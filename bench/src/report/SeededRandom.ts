/** Random numbers that are the same in every run, so that two runs differ by the machine alone. */
export interface SeededRandom {
  /** At least 0, below 1. */
  readonly fraction: () => number
  /** A whole number, at least 0 and below `bound`. */
  readonly below: (bound: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** The n-th item with a weight of 1/n, as words and names are distributed. */
  readonly pickZipf: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
}

/** The generator `sfc32` (Chris Doty-Humphrey, PractRand): 128 bits of state, of which the seed fills a part. */
export const make = (seed: number): SeededRandom => {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  // The first numbers still depend on the seed in a simple way.
  for (let turn = 0; turn < 16; turn++) next()

  const fraction = () => next() / 2 ** 32
  const below = (bound: number) => Math.floor(fraction() * bound)
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (from) => from[below(from.length)] ?? from[0],
    // The inverse of the distribution function of 1/x.
    pickZipf: (from) => from[Math.floor((from.length + 1) ** fraction()) - 1] ?? from[0]
  }
}
