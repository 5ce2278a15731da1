import { median, percentile } from "./Statistics.ts"

/** Rounds of the loop: about 20 ms of one core. */
const ROUNDS = 10_000_000

/** A fixed piece of work that depends on the processor alone: integers, no memory. */
const work = (): number => {
  let value = 1
  for (let round = 0; round < ROUNDS; round += 1) value = (Math.imul(value, 31) + round) | 0
  return value
}

/** The noise of the machine: the times of the same work, again and again. */
export const make = () => {
  const samples: Array<number> = []
  // So that the samples do not include the compiler's time.
  for (let warmUp = 0; warmUp < 3; warmUp += 1) work()
  return {
    sample: (): void => {
      const began = performance.now()
      work()
      samples.push(performance.now() - began)
    },
    describe: (): string => {
      const sorted = samples.toSorted((self, that) => self - that)
      const middle = median(sorted)
      const slower = (part: number) => `${((percentile(sorted, part) / middle - 1) * 100).toFixed(0)} %`
      return `the same ${middle.toFixed(1)} ms of work, ${samples.length} times between rounds: fastest ${
        slower(0)
      }, slowest tenth ${slower(0.9)} or more, slowest ${slower(1)} off the median`
    }
  }
}
