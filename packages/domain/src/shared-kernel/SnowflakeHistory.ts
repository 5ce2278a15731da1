import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Snowflake } from "./Snowflake.ts"
import type { StorageError } from "./StorageError.ts"

/** An id, and the time of creation that its entity has in a field of its own. */
export interface DatedSnowflake {
  readonly id: Snowflake
  readonly createdAt: DateTime.Utc
}

/** Port: what a storage knows about the snowflakes in it. New ones must fit them. */
export class SnowflakeHistory extends Context.Tag("@community-messaging/domain/SnowflakeHistory")<SnowflakeHistory, {
  /** Returns the largest id of an entity that is at most `bound`. Other processes may add larger ones at any time. */
  readonly largestUpTo: (bound: Snowflake) => Effect.Effect<Option.Option<Snowflake>, StorageError>
  /** Returns the newest admin keys, bot tokens and messages, up to `limit` of each. */
  readonly newest: (limit: number) => Effect.Effect<ReadonlyArray<DatedSnowflake>, StorageError>
  /** The epoch of the stored ids, as Unix milliseconds. */
  readonly epoch: Effect.Effect<Option.Option<number>, StorageError>
  /** Stores the epoch unless there is one. Returns the stored one, so that of several processes one decides. */
  readonly storeEpoch: (epoch: number) => Effect.Effect<number, StorageError>
}>() {}
