import { Context, Effect, Layer } from "effect"
import { Snowflake, SnowflakeEpoch, TIMESTAMP_SHIFT } from "./Snowflake.ts"
import { WITHOUT_VALIDATION } from "./WithoutValidation.ts"

const WORKER_SHIFT = 12n
const MAX_SEQUENCE = 4095

/** The maximum number of workers that may generate snowflakes at the same time. */
export const MAX_WORKERS = 1024

/**
 * Generates snowflakes: 41 bits of milliseconds since the epoch, 10 bits of worker number, 12 bits of sequence. Two
 * generators with different worker numbers never generate the same snowflake.
 */
export class SnowflakeGenerator extends Context.Tag("@community-messaging/domain/SnowflakeGenerator")<
  SnowflakeGenerator,
  {
    /** Generates a snowflake that is larger than all earlier ones of this generator. */
    readonly next: Effect.Effect<Snowflake>
  }
>() {
  /** A generator for one worker, 0 to 1023. */
  static readonly layer = (worker: number): Layer.Layer<SnowflakeGenerator> =>
    Layer.effect(
      SnowflakeGenerator,
      Effect.gen(function*() {
        const epoch = yield* SnowflakeEpoch
        const workerBits = BigInt(worker % MAX_WORKERS) << WORKER_SHIFT
        let millis = -1
        let sequence = 0
        return {
          next: Effect.clockWith((clock) => {
            const elapsed = Math.max(0, clock.unsafeCurrentTimeMillis() - epoch)
            if (elapsed > millis) {
              millis = elapsed
              sequence = 0
            } else if (sequence < MAX_SEQUENCE) {
              sequence += 1
            } else {
              // All sequence numbers of the millisecond are used, or the clock went back: use the next millisecond.
              millis += 1
              sequence = 0
            }
            const bits = (BigInt(millis) << TIMESTAMP_SHIFT) | workerBits | BigInt(sequence)
            return Effect.succeed(Snowflake.make(bits.toString(), WITHOUT_VALIDATION))
          })
        }
      })
    )
}
