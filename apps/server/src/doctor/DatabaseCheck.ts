import { createdAtMillis } from "@community-messaging/domain/shared-kernel/Snowflake"
import { MAX_LEAD } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Inspection from "@community-messaging/storage-sqlite/Inspection"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import { isDamage } from "@community-messaging/storage-sqlite/SqliteFailure"
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const schema = (found: number, migrate: boolean): Finding => {
  const versions = `version ${found}, this program has ${SCHEMA_VERSION}`
  if (found > SCHEMA_VERSION) return problem("schema", versions, "run the newer version that wrote the database")
  if (found === SCHEMA_VERSION) return ok("schema", versions)
  return migrate
    ? warning("schema", versions, "make a backup: the next start migrates the database")
    : problem("schema", versions, "make a backup, then run `community-messaging migrate`")
}

/** The data since the backup would be lost, so only damage is a reason. */
const RESTORE = "stop the server and restore a backup"

const integrity = (damages: ReadonlyArray<string>): Finding =>
  damages.length === 0
    ? ok("integrity", "SQLite's quick check finds nothing")
    : problem("integrity", damages.join("; "), RESTORE)

/** A database of an earlier version that was not rewritten yet. */
const NOT_REWRITTEN = warning(
  "vacuum",
  "the database was not rewritten yet: the space of deleted data is not returned to the disk",
  "run `community-messaging migrate`, with as much free space as the database has in DATA_DIR and in TMPDIR"
)

const iso = (millis: number): string => DateTime.formatIso(DateTime.unsafeMake(millis))

/** Compares the epoch of the stored ids with the configured one. */
export const epoch = (stored: Option.Option<number>, configured: number): ReadonlyArray<Finding> =>
  Option.toArray(stored).map((millis) =>
    millis === configured
      ? ok("epoch", `ids count from ${iso(millis)}`)
      : problem(
        "epoch",
        `ids count from ${iso(millis)}, but SNOWFLAKE_EPOCH is ${iso(configured)}`,
        `set SNOWFLAKE_EPOCH to ${iso(millis)}`
      )
  )

/** The clock may be behind by less: a burst of ids borrows a few milliseconds. */
const TOLERANCE = Duration.seconds(1)

/** Compares the time of the newest id with the clock. */
export const clock = (newest: number, now: number): Finding => {
  const lead = Duration.millis(Math.max(0, newest - now))
  const found = `${iso(now)}, the newest id is of ${iso(newest)}`
  if (Duration.lessThanOrEqualTo(lead, TOLERANCE)) return ok("clock", found)
  return Duration.greaterThan(lead, MAX_LEAD)
    ? warning("clock", found, "set the clock if it is wrong. New ids are smaller than those of the future")
    : warning("clock", found, "set the clock if it is wrong. Until it has caught up, new ids continue after the newest")
}

const failure = (error: StorageError): Finding =>
  problem(
    "database",
    DataDirectory.messages(error).join(": "),
    isDamage(error)
      ? RESTORE
      : "correct the rights or the disk, or stop the program that locks the file; the data may be intact"
  )

/** Checks the database file without changing it. */
export const database = (
  filename: string,
  { migrate, snowflakeEpoch }: { readonly migrate: boolean; readonly snowflakeEpoch: number }
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function*() {
    const { damages, epoch: stored, isIncremental, largestId, schemaVersion } = yield* Inspection.inspect(filename)
    const now = yield* Clock.currentTimeMillis
    const newest = Option.zipWith(largestId, stored, createdAtMillis)
    return [
      ...Option.toArray(Option.map(schemaVersion, (found) => schema(found, migrate))),
      integrity(damages),
      ...isIncremental ? [] : [NOT_REWRITTEN],
      ...epoch(stored, snowflakeEpoch),
      ...Option.toArray(Option.map(newest, (millis) => clock(millis, now)))
    ]
  }).pipe(Effect.catchAll((error) => Effect.succeed([failure(error)])))
