import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import { Option } from "effect"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const largestUpTo = (tables: Readonly<Tables>, bound: Snowflake.Snowflake): Option.Option<Snowflake.Snowflake> => {
  const inTable = <K extends Snowflake.Snowflake, V>(table: Table.Table<K, V>): ReadonlyArray<Snowflake.Snowflake> =>
    Option.toArray(Table.lastKey(table, (id) => Snowflake.compare(id, bound) <= 0))
  const ids = [
    inTable(tables.applications),
    inTable(tables.channels),
    inTable(tables.credentials),
    inTable(tables.guilds),
    inTable(tables.messages),
    inTable(tables.roles),
    inTable(tables.scheduledMessages),
    inTable(tables.users),
    inTable(tables.webhooks)
  ].flat()
  return Option.fromNullable(ids.toSorted(Snowflake.compare).at(-1))
}

/** `SnowflakeHistory` in memory. */
export const make = (state: typeof MemoryState.Service): typeof SnowflakeHistory.Service => ({
  largestUpTo: (bound) => state.read((tables) => largestUpTo(tables, bound)),
  epoch: state.read(({ snowflakeEpoch }) => snowflakeEpoch),
  storeEpoch: (given) =>
    state.write((tables) => {
      const epoch = Option.getOrElse(tables.snowflakeEpoch, () => given)
      tables.snowflakeEpoch = Option.some(epoch)
      return epoch
    })
})
