import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import {
  createdAtMillis,
  lastOfMillis,
  MAX_SNOWFLAKE,
  Snowflake,
  SnowflakeEpoch,
  TIMESTAMP_SHIFT
} from "./Snowflake.ts"
import { requireEpochOfData, type SnowflakeEpochMismatch } from "./SnowflakeEpochCheck.ts"
import { SnowflakeHistory } from "./SnowflakeHistory.ts"
import type { StorageError } from "./StorageError.ts"
import { WITHOUT_VALIDATION } from "./WithoutValidation.ts"

const WORKER_SHIFT = 12n
const MAX_SEQUENCE = 4095

/** The maximum number of workers that may generate snowflakes at the same time. */
export const MAX_WORKERS = 1024

/**
 * A new generator continues from stored ids that are at most this far ahead of the clock, because the clock may have been
 * slightly wrong. If it continued from ids beyond that, new ids would be dated into the far future.
 */
export const MAX_LEAD = Duration.days(7)

/** How far ids may be ahead of the clock without a warning. A burst of ids borrows a few milliseconds. */
const UNREMARKABLE_LEAD = Duration.toMillis(Duration.seconds(1))

/**
 * Generates snowflakes: 41 bits of milliseconds since the epoch, 10 bits of worker number, 12 bits of sequence. Two
 * generators with different worker numbers never generate the same snowflake.
 *
 * It never waits and never refuses. If the clock is behind the last id, ids count on from that one: the sequence numbers
 * of its millisecond, then those of the next millisecond, until the clock has caught up.
 */
export class SnowflakeGenerator extends Context.Tag("@community-messaging/domain/SnowflakeGenerator")<
  SnowflakeGenerator,
  {
    /**
     * Generates a snowflake that is larger than all earlier ones of this generator, and than all that were stored when the
     * generator was made, except those further ahead of the clock than `MAX_LEAD`.
     */
    readonly next: Effect.Effect<Snowflake>
  }
>() {
  /** A generator for one worker, 0 to 1023. Fails if the ids in the storage count from another epoch. */
  static readonly layer = (
    worker: number
  ): Layer.Layer<SnowflakeGenerator, SnowflakeEpochMismatch | StorageError, SnowflakeHistory> =>
    Layer.effect(
      SnowflakeGenerator,
      Effect.gen(function*() {
        const epoch = yield* SnowflakeEpoch
        yield* requireEpochOfData(epoch)
        return { next: generate(worker, epoch, yield* lastStoredMillis(epoch)) }
      })
    )
}

/** Finds the time of the last stored id, in milliseconds since the epoch; -1 if there is none. */
const lastStoredMillis = (epoch: number) =>
  Effect.gen(function*() {
    const history = yield* SnowflakeHistory
    const now = yield* Clock.currentTimeMillis
    const bound = lastOfMillis(Math.max(0, now - epoch) + Duration.toMillis(MAX_LEAD))
    const last = yield* history.largestUpTo(bound)
    const largest = yield* history.largestUpTo(Snowflake.make(MAX_SNOWFLAKE.toString()))
    if (Option.getOrUndefined(largest) !== Option.getOrUndefined(last)) {
      yield* Effect.logWarning(
        `Stored ids are more than ${Duration.format(MAX_LEAD)} ahead of the clock; new ids are smaller than those`
      )
    }
    return Option.match(last, { onNone: () => -1, onSome: (id) => createdAtMillis(id, 0) })
  })

/** Generates ids after the millisecond `lastMillis`. */
const generate = (worker: number, epoch: number, lastMillis: number): Effect.Effect<Snowflake> => {
  const workerBits = BigInt(worker % MAX_WORKERS) << WORKER_SHIFT
  let millis = lastMillis
  let sequence = MAX_SEQUENCE
  let warned = false
  return Effect.clockWith((clock) => {
    const elapsed = Math.max(0, clock.unsafeCurrentTimeMillis() - epoch)
    if (elapsed > millis) {
      millis = elapsed
      sequence = 0
      warned = false
    } else if (sequence < MAX_SEQUENCE) {
      sequence += 1
    } else {
      // All sequence numbers of the millisecond are used, or the clock is behind: use the next millisecond.
      millis += 1
      sequence = 0
    }
    const bits = (BigInt(millis) << TIMESTAMP_SHIFT) | workerBits | BigInt(sequence)
    const id = Snowflake.make(bits.toString(), WITHOUT_VALIDATION)
    const lead = millis - elapsed
    if (warned || lead <= UNREMARKABLE_LEAD) return Effect.succeed(id)
    warned = true
    return Effect.as(
      Effect.logWarning(`The clock is ${Duration.format(lead)} behind the last id; ids go on from that one`),
      id
    )
  })
}
