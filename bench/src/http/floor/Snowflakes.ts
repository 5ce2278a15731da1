/** The epoch of snowflakes, in Unix milliseconds. */
export const EPOCH = 1_420_070_400_000
const MAX_SEQUENCE = 4095
/** No other process works on the floor's database. */
const WORKER_BITS = 1n << 12n

/** Makes snowflakes, each larger than the one before. */
export const make = (): () => string => {
  let millis = 0
  let sequence = 0
  return () => {
    const elapsed = Date.now() - EPOCH
    if (elapsed > millis) {
      millis = elapsed
      sequence = 0
    } else if (sequence < MAX_SEQUENCE) {
      sequence += 1
    } else {
      millis += 1
      sequence = 0
    }
    return ((BigInt(millis) << 22n) | WORKER_BITS | BigInt(sequence)).toString()
  }
}
