/** The value below which that part of the sorted values lies (nearest rank); `NaN` without values. */
export const percentile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? Number.NaN

/** The middle of the sorted values, or the mean of the two there. Sorts the values itself. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((self, that) => self - that)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The spread of the values: the largest less the smallest, as a part of the median. */
export const spread = (values: ReadonlyArray<number>): number =>
  values.length === 0 ? Number.NaN : (Math.max(...values) - Math.min(...values)) / median(values)

/**
 * The ratios of a subject's values to those of another, round by round. The values of a round are close in time, so a
 * machine that slows down for a while slows both down.
 */
export const ratios = (subject: ReadonlyArray<number>, other: ReadonlyArray<number>): ReadonlyArray<number> =>
  subject.map((value, round) => value / (other[round] ?? Number.NaN))
