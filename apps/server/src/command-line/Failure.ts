import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { DatabaseInvalid } from "@community-messaging/storage-sqlite/DatabaseCheck"
import type { PlatformError } from "@effect/platform/Error"
import { ConfigError, Data } from "effect"
import * as Setting from "../configuration/Setting.ts"
import type { NotADemo } from "../demo/Demo.ts"
import type { ListenError } from "../serving/Listening.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import type { FileRefused } from "../storage/NewFile.ts"
import type { StorageUnusable } from "../storage/Storage.ts"
import * as PlainText from "./PlainText.ts"

/** The command failed. The message is printed for the user. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** All errors of commands. */
export type Failure =
  | CommandFailed
  | ConfigError.ConfigError
  | DatabaseInvalid
  | FileRefused
  | ListenError
  | NotADemo
  | PlatformError
  | StorageError
  | StorageUnusable

/** Joins lines to one, without control characters: a reason may quote a damaged database, which others may have written. */
export const oneLine = (text: string): string => PlainText.oneLine(text.trim().replace(/\s*\n\s*/g, "; "))

/** Describes the failure in one line. */
export const describe = (failure: Failure): string => {
  if (ConfigError.isConfigError(failure)) return Setting.describeError(failure)
  switch (failure._tag) {
    case "DataDirectoryUnusable":
      return oneLine(`DATA_DIR ${failure.path} cannot be used: ${failure.reason}`)
    case "DatabaseUnusable":
      return oneLine(`the database ${failure.location} of DATABASE_URL cannot be used: ${failure.reason}`)
    case "DatabaseInvalid":
      return oneLine(`the database is not intact: ${failure.reason}`)
    case "ListenError":
      return oneLine(`cannot listen ${failure.where}: ${DataDirectory.messages(failure.cause).join(": ")}`)
    case "StorageError":
      return oneLine(DataDirectory.messages(failure).join(": "))
    case "SnowflakeEpochMismatch":
      return oneLine(`SNOWFLAKE_EPOCH does not fit the existing data. ${failure.message} Set it to that time.`)
    case "SchemaNotMigrated": {
      const advice = failure.found === 0 ? "Run" : "Make a backup, then run"
      return oneLine(`${failure.message} ${advice} \`community-messaging migrate\``)
    }
    case "SystemError":
      // The message also has the parts of the program that called the system.
      return oneLine(failure.description ?? failure.message)
    case "CommandFailed":
    case "FileRefused":
    case "NotADemo":
    case "UnknownSchemaVersion":
    case "BadArgument":
      return oneLine(failure.message)
  }
}
