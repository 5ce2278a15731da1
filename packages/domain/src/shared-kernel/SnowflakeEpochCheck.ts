import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { createdAtMillis } from "./Snowflake.ts"
import { type DatedSnowflake, SnowflakeHistory } from "./SnowflakeHistory.ts"

/** The ids in the storage count from another epoch. With this one, they would have wrong times of creation. */
export class SnowflakeEpochMismatch extends Schema.TaggedError<SnowflakeEpochMismatch>()("SnowflakeEpochMismatch", {
  /** Unix milliseconds. */
  configured: Schema.Number,
  /** Unix milliseconds; inferred if the storage has no stored epoch, and then some milliseconds inexact. */
  ofData: Schema.Number
}) {
  override get message(): string {
    const [configured, ofData] = [this.configured, this.ofData].map((millis) =>
      DateTime.formatIso(DateTime.unsafeMake(millis))
    )
    return `The epoch of ids is ${configured}, but the ids of the existing data count from ${ofData}.`
  }
}

/** How much the time in an id may differ from the time of its entity: the clock may have been corrected in between. */
const TOLERANCE = Duration.toMillis(Duration.days(1))

/** Ids with less time since the epoch are not compared: people choose small numbers as ids. */
const MIN_AGE = Duration.toMillis(Duration.days(1))

/** How many entities of each kind are compared. */
const COMPARED = 100

/**
 * Returns the epoch that the ids count from, if they contradict the given epoch: no id fits it, and all ids imply the same
 * other epoch. Ids that were imported from another service may imply any epoch.
 */
export const contradictingEpoch = (dated: ReadonlyArray<DatedSnowflake>, epoch: number): Option.Option<number> => {
  const implied = dated
    .map(({ createdAt, id }) => ({ age: createdAtMillis(id, 0), createdAt: createdAt.epochMillis }))
    .filter(({ age }) => age >= MIN_AGE)
    .map(({ age, createdAt }) => createdAt - age)
  const [first] = implied
  if (first === undefined || implied.some((other) => Math.abs(other - epoch) <= TOLERANCE)) return Option.none()
  return implied.every((other) => Math.abs(other - first) <= TOLERANCE) ? Option.some(first) : Option.none()
}

/**
 * Fails if the ids in the storage count from another epoch. A storage without an epoch, which is empty or of an older
 * version, gets this one.
 */
export const requireEpochOfData = (epoch: number) =>
  Effect.gen(function*() {
    const history = yield* SnowflakeHistory
    const stored = yield* history.epoch
    const contradicting = Option.isSome(stored)
      ? Option.none()
      : contradictingEpoch(yield* history.newest(COMPARED), epoch)
    const ofData = Option.isSome(contradicting)
      ? contradicting.value
      : Option.isSome(stored)
      ? stored.value
      : yield* history.storeEpoch(epoch)
    if (ofData !== epoch) return yield* new SnowflakeEpochMismatch({ configured: epoch, ofData })
  })
