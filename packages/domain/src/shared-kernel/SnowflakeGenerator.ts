import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import {
  compare,
  createdAtMillis,
  lastOfMillis,
  MAX_SNOWFLAKE,
  Snowflake,
  SnowflakeEpoch,
  TIMESTAMP_SHIFT
} from "./Snowflake.ts"
import { SnowflakeHistory } from "./SnowflakeHistory.ts"
import type { StorageError } from "./StorageError.ts"
import { WITHOUT_VALIDATION } from "./WithoutValidation.ts"
import * as WorkerNumbers from "./WorkerNumber.ts"

/** The ids in the storage count from another epoch. With this one, they would have wrong times of creation. */
export class SnowflakeEpochMismatch extends Schema.TaggedError<SnowflakeEpochMismatch>()("SnowflakeEpochMismatch", {
  /** Unix milliseconds. */
  configured: Schema.Number,
  /** Unix milliseconds. */
  ofData: Schema.Number
}) {
  override get message(): string {
    const [configured, ofData] = [this.configured, this.ofData].map((millis) =>
      DateTime.formatIso(DateTime.unsafeMake(millis))
    )
    return `The epoch of ids is ${configured}, but the ids of the existing data count from ${ofData}.`
  }
}

const WORKER_SHIFT = 12n
const MAX_SEQUENCE = 4095

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
 * It never waits. If the clock is behind the last id, ids continue after that one: the sequence numbers of its
 * millisecond, then those of the next millisecond, until the clock has caught up.
 */
export class SnowflakeGenerator extends Context.Tag("@community-messaging/domain/SnowflakeGenerator")<
  SnowflakeGenerator,
  {
    /**
     * Generates a snowflake that is larger than all earlier ones of this generator, and than all that were stored when this
     * process got its worker number, except those further ahead of the clock than `MAX_LEAD`. Fails while this process has
     * no worker number.
     */
    readonly next: Effect.Effect<Snowflake, StorageError>
  }
>() {
  /**
   * A generator for the worker number of the process. Fails if the ids in the storage count from another epoch. A storage
   * without an epoch gets the configured one.
   */
  static readonly layerOfWorker: Layer.Layer<
    SnowflakeGenerator,
    SnowflakeEpochMismatch | StorageError,
    SnowflakeHistory | WorkerNumbers.WorkerNumber
  > = Layer.effect(
    SnowflakeGenerator,
    Effect.gen(function*() {
      const epoch = yield* SnowflakeEpoch
      const history = yield* SnowflakeHistory
      const worker = yield* WorkerNumbers.WorkerNumber
      const ofData = yield* Effect.flatMap(
        history.epoch,
        Option.match({ onNone: () => history.storeEpoch(epoch), onSome: Effect.succeed })
      )
      if (ofData !== epoch) return yield* new SnowflakeEpochMismatch({ configured: epoch, ofData })
      const { after, next } = generate()
      yield* worker.beforeUse(
        Effect.map(Effect.provideService(lastStoredMillis(epoch), SnowflakeHistory, history), after)
      )
      return {
        // The time is read before the number: a process that has the number now also had it at that time.
        next: Effect.clockWith((clock) => {
          const elapsed = Math.max(0, clock.unsafeCurrentTimeMillis() - epoch)
          return Effect.flatMap(worker.current, (number) => next(number, elapsed))
        })
      }
    })
  )

  /** The same for one worker number, 0 to 1023, that no other process has. */
  static readonly layer = (
    worker: number
  ): Layer.Layer<SnowflakeGenerator, SnowflakeEpochMismatch | StorageError, SnowflakeHistory> =>
    Layer.provide(SnowflakeGenerator.layerOfWorker, WorkerNumbers.fixed(worker))
}

/** Finds the time of the last stored id, in milliseconds since the epoch; -1 if there is none. */
const lastStoredMillis = (epoch: number) =>
  Effect.gen(function*() {
    const history = yield* SnowflakeHistory
    const now = yield* Clock.currentTimeMillis
    const bound = lastOfMillis(Math.max(0, now - epoch) + Duration.toMillis(MAX_LEAD))
    const last = yield* history.largestUpTo(bound)
    const largest = yield* history.largestUpTo(Snowflake.make(MAX_SNOWFLAKE.toString()))
    // Compared with `bound`, not with `last`: other processes may have stored larger ids in between.
    if (Option.exists(largest, (id) => compare(id, bound) > 0)) {
      yield* Effect.logWarning(
        `Stored ids are more than ${Duration.format(MAX_LEAD)} ahead of the clock; new ids are smaller than those`
      )
    }
    return Option.match(last, { onNone: () => -1, onSome: (id) => createdAtMillis(id, 0) })
  })

/**
 * Generates an id from a worker number and a time in milliseconds since the epoch. `after` makes all later ids greater than
 * those of a millisecond.
 */
const generate = () => {
  let millis = -1
  let sequence = MAX_SEQUENCE
  let warned = false
  const after = (lastMillis: number): void => {
    if (lastMillis < millis) return
    millis = lastMillis
    sequence = MAX_SEQUENCE
    warned = false
  }
  const next = (worker: number, elapsed: number): Effect.Effect<Snowflake> => {
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
    const bits = (BigInt(millis) << TIMESTAMP_SHIFT) | (BigInt(worker) << WORKER_SHIFT) | BigInt(sequence)
    const id = Snowflake.make(bits.toString(), WITHOUT_VALIDATION)
    const lead = millis - elapsed
    if (warned || lead <= UNREMARKABLE_LEAD) return Effect.succeed(id)
    warned = true
    return Effect.as(
      Effect.logWarning(`The clock is ${Duration.format(lead)} behind the last id; ids continue after that one`),
      id
    )
  }
  return { after, next }
}
