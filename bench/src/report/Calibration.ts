import { make as makeRandom } from "./SeededRandom.ts"
import { median, percentile } from "./Statistics.ts"

/** Rounds of the loop: about 20 ms of one core. */
const ROUNDS = 10_000_000

/** A fixed piece of work that depends on the processor alone: integers, no memory. */
const work = (): number => {
  let value = 1
  for (let round = 0; round < ROUNDS; round += 1) value = (Math.imul(value, 31) + round) | 0
  return value
}

/** The numbers of the chain: 4 MiB, more than a core's own caches hold on most processors. */
const CHAIN_LENGTH = 1_048_576

/** The number of reads of a sample: some milliseconds. */
const READS = 100_000

const CHAIN_SEED = 3

/** Makes a chain in which each number is the index of the next one, in random order (Sattolo's algorithm). */
const makeChain = (): Uint32Array => {
  const random = makeRandom(CHAIN_SEED)
  const chain = Uint32Array.from({ length: CHAIN_LENGTH }, (_, index) => index)
  for (let last = CHAIN_LENGTH - 1; last > 0; last -= 1) {
    const other = random.below(last)
    const value = chain[last] ?? 0
    chain[last] = chain[other] ?? 0
    chain[other] = value
  }
  return chain
}

/** Reads on along the chain: each read waits for the one before. Returns where it ends. */
const read = (chain: Uint32Array, from: number): number => {
  let at = from
  for (let count = 0; count < READS; count += 1) at = chain[at] ?? 0
  return at
}

const slower = (samples: ReadonlyArray<number>, part: number): string =>
  `${((percentile(samples, part) / median(samples) - 1) * 100).toFixed(0)} %`

/** Describes how the samples, in ascending order, deviate from their median. */
const deviation = (samples: ReadonlyArray<number>): string =>
  `fastest ${slower(samples, 0)}, slowest tenth ${slower(samples, 0.9)} or more, slowest ${
    slower(samples, 1)
  } off the median`

/** The noise of the machine: the times of the same work and of reads from memory, again and again. */
export const make = () => {
  const millis: Array<number> = []
  const readNanos: Array<number> = []
  const chain = makeChain()
  let at = 0
  const readOn = (): number => {
    const began = performance.now()
    at = read(chain, at)
    return (performance.now() - began) * 1e6 / READS
  }
  // So that the samples do not include the compiler's time.
  for (let warmUp = 0; warmUp < 3; warmUp += 1) {
    work()
    readOn()
  }
  const ascending = (samples: ReadonlyArray<number>) => samples.toSorted((self, that) => self - that)
  return {
    sample: (): void => {
      const began = performance.now()
      work()
      millis.push(performance.now() - began)
      readNanos.push(readOn())
    },
    describe: (): ReadonlyArray<readonly [name: string, value: string]> => {
      const [works, reads] = [ascending(millis), ascending(readNanos)]
      return [
        [
          "noise",
          `the same ${median(works).toFixed(1)} ms of work, ${works.length} times between rounds: ${deviation(works)}`
        ],
        ["reads at random in 4 MiB", `${median(reads).toFixed(0)} ns each: ${deviation(reads)}`]
      ]
    }
  }
}
