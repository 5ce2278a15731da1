import { Context, type Effect, type Option } from "effect"
import type { Snowflake } from "./Snowflake.ts"
import type { StorageError } from "./StorageError.ts"

/** Port: the snowflakes in a storage, and their epoch. New snowflakes must be consistent with them. */
export class SnowflakeHistory extends Context.Tag("@community-messaging/domain/SnowflakeHistory")<SnowflakeHistory, {
  /** Returns the largest id of an entity that is at most `bound`. Other processes may add larger ones at any time. */
  readonly largestUpTo: (bound: Snowflake) => Effect.Effect<Option.Option<Snowflake>, StorageError>
  /** The epoch of the stored ids, as Unix milliseconds. */
  readonly epoch: Effect.Effect<Option.Option<number>, StorageError>
  /** Stores the epoch unless one is stored. Returns the stored epoch: of several processes, the first one decides. */
  readonly storeEpoch: (epoch: number) => Effect.Effect<number, StorageError>
}>() {}
