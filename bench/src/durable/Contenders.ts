import { inTurn } from "../report/InTurn.ts"
import type { Cell } from "../report/Measurement.ts"
import { median, percentile, ratios, spread } from "../report/Statistics.ts"

/** A way to store notifications. */
export interface Contender {
  readonly name: string
  readonly work: (howMany: number) => void | Promise<void>
  /** Notifications per second, one value for each round. */
  readonly perSecond: Array<number>
}

/** A contender without measurements. */
export const contender = (name: string, work: Contender["work"]): Contender => ({ name, work, perSecond: [] })

/** How many notifications a contender stores in about that time. */
const calibrated = async ({ work }: Contender, millis: number): Promise<number> => {
  const probe = 50
  await work(probe)
  const begin = performance.now()
  await work(probe)
  return Math.max(probe, Math.round(probe * millis / (performance.now() - begin)))
}

/** Measures all contenders in turn, so that a disk that slows down affects all of them. */
export const measure = async (
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  millis: number,
  between: (round: number) => void
): Promise<void> => {
  const sized = await inTurn(contenders, async (one) => ({ ...one, howMany: await calibrated(one, millis) }))
  await inTurn(Array.from({ length: rounds }), async (_, round) => {
    between(round + 1)
    await inTurn(sized, async ({ howMany, perSecond, work }) => {
      const begin = performance.now()
      await work(howMany)
      perSecond.push(howMany * 1000 / (performance.now() - begin))
    })
  })
}

/** A row of the table: the name, per second, the median and the slowest round, and the ratio to the raw loop. */
export const row = ({ name, perSecond }: Contender, raw: Contender): ReadonlyArray<Cell> => {
  const slowestFirst = perSecond.toSorted((self, that) => self - that)
  return [
    name,
    { value: median(perSecond), unit: "per-second", spread: spread(perSecond) },
    { value: 1_000_000 / median(perSecond), unit: "us" },
    { value: 1_000_000 / percentile(slowestFirst, 0.01), unit: "us" },
    { value: median(ratios(perSecond, raw.perSecond)), unit: "ratio" }
  ]
}
