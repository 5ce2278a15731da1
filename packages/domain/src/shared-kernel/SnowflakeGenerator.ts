import { Clock, Context, Effect, Layer } from "effect"
import { PARTS_CHECKED } from "./PartsChecked.ts"
import { Snowflake, SnowflakeEpoch, TIMESTAMP_SHIFT } from "./Snowflake.ts"

const WORKER_SHIFT = 12n
const MAX_SEQUENCE = 4095

/** The number of workers that may make snowflakes side by side. */
export const MAX_WORKERS = 1024

/**
 * Makes snowflakes: 41 bits of milliseconds since the epoch, 10 bits that name the worker, 12 bits of sequence.
 * Two generators never make the same one while their workers differ.
 */
export class SnowflakeGenerator extends Context.Tag("@community-messaging/domain/shared-kernel/SnowflakeGenerator")<
  SnowflakeGenerator,
  {
    /** A snowflake that this generator has not made before, larger than all those it made. */
    readonly next: Effect.Effect<Snowflake>
  }
>() {
  /** A generator for one worker, numbered 0 to 1023. */
  static readonly layer = (worker: number): Layer.Layer<SnowflakeGenerator> =>
    Layer.effect(
      SnowflakeGenerator,
      Effect.gen(function*() {
        const epoch = yield* SnowflakeEpoch
        const workerBits = BigInt(worker % MAX_WORKERS) << WORKER_SHIFT
        let millis = -1
        let sequence = 0
        return {
          next: Effect.map(Clock.currentTimeMillis, (now) => {
            const elapsed = Math.max(0, now - epoch)
            if (elapsed > millis) {
              millis = elapsed
              sequence = 0
            } else if (sequence < MAX_SEQUENCE) {
              sequence += 1
            } else {
              // The millisecond is used up, or the clock went back: borrow from the next one rather than repeat.
              millis += 1
              sequence = 0
            }
            return Snowflake.make(
              ((BigInt(millis) << TIMESTAMP_SHIFT) | workerBits | BigInt(sequence)).toString(),
              PARTS_CHECKED
            )
          })
        }
      })
    )
}
