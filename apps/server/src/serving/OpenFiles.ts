import { Effect, Option, Schema } from "effect"

/** The file descriptors that are left for anything but connections, such as the database and its readers. */
const RESERVED = 100

const Report = Schema.Struct({
  userLimits: Schema.Struct({ open_files: Schema.Struct({ soft: Schema.Union(Schema.Number, Schema.String) }) })
})

/** Returns how many files the process may have open; none if that is unlimited or unknown. */
const limit = Effect.sync(() => {
  const report = Schema.decodeUnknownOption(Report)(process.report.getReport())
  return Option.filterMap(
    report,
    ({ userLimits: { open_files } }) =>
      typeof open_files.soft === "number" ? Option.some(open_files.soft) : Option.none()
  )
})

/**
 * Returns the number of connections, or less if the process may not open as many files, which is logged. Node closes
 * connections for which there is no file descriptor without a word.
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
