import { MAX_REFUSED } from "@community-messaging/http-adapter/server/connections/ConnectionLimiter"
import { Effect, Option, Schema } from "effect"

/** The file descriptors for refused connections, and for everything else, such as the database and its readers. */
export const RESERVED = MAX_REFUSED + 100

const Report = Schema.Struct({
  userLimits: Schema.Struct({ open_files: Schema.Struct({ soft: Schema.Union(Schema.Number, Schema.String) }) })
})

/**
 * The report of the process. By default, Node looks up the name of the other end of each connection for it, one after another,
 * and the process waits: without a name server that answers, some seconds for each connection to the database.
 */
export const report = (): unknown => {
  Object.assign(process.report, { excludeNetwork: true })
  return process.report.getReport()
}

/** Returns how many files the process may have open; none if the number is unlimited or unknown. */
export const limit = Effect.sync(() =>
  Option.filterMap(
    Schema.decodeUnknownOption(Report)(report()),
    ({ userLimits: { open_files } }) =>
      typeof open_files.soft === "number" ? Option.some(open_files.soft) : Option.none()
  )
)

/**
 * Returns `maxConnections`, or fewer and a warning if the process may not open as many files. Without a file descriptor,
 * Node closes a connection without a response.
 */
export const atMost = (maxConnections: number): Effect.Effect<number> =>
  Effect.gen(function*() {
    const openFiles = Option.getOrElse(yield* limit, () => Number.POSITIVE_INFINITY)
    const possible = Math.max(1, openFiles - RESERVED)
    if (possible >= maxConnections) return maxConnections
    yield* Effect.logWarning(
      `MAX_CONNECTIONS is ${maxConnections}, but the limit of ${openFiles} open files allows ${possible} only`
    )
    return possible
  })
