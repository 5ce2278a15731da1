import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { PlatformError } from "@effect/platform/Error"
import { Array, Data, Effect, Either, Stream } from "effect"
import { invalid, type InvalidRecord, type Problem } from "./InvalidRecord.ts"
import { KINDS } from "./Kinds.ts"
import type { Line } from "./Lines.ts"
import type { RecordKind, TransferPorts } from "./RecordKind.ts"
import * as RecordText from "./RecordText.ts"
import { References } from "./References.ts"
import { count, type Counts, failures, type LineOutcome, type Summary } from "./Tally.ts"

/** A line that was not imported. */
export interface FailedLine {
  readonly number: number
  readonly kind: string
  readonly problems: ReadonlyArray<Problem>
}

/** The progress of an import. */
export interface Progress {
  /** The number of the last line that was read. */
  readonly lines: number
  /** The bytes of these lines. */
  readonly bytes: number
  /** The number of lines, from the first on, that are committed, apart from invalid ones. With `strict`, 0 until the end. */
  readonly committed: number
  /** The lines that were read, with `strict`, and the committed ones otherwise. */
  readonly summary: Summary
}

/** A strict import with invalid lines. Nothing was imported. */
export class StrictImportRefused extends Data.TaggedError("StrictImportRefused")<{ readonly summary: Summary }> {}

/** Storage failed during the import. The batch of this line and all later lines are not imported. */
export class ImportStopped extends Data.TaggedError("ImportStopped")<{
  /** The last line that was tried. Storage failed at it, or at one before it that was imported together with it. */
  readonly number: number
  /** The first line that was not imported. */
  readonly firstLost: number
  readonly cause: StorageError
}> {}

/** How an import treats and reports its lines. */
export interface Options {
  /** Whether to import nothing if a line is invalid. */
  readonly strict: boolean
  /** Called for each line that is not imported. */
  readonly report: (line: FailedLine) => Effect.Effect<void>
  /** Called after each batch of lines. */
  readonly progress?: (progress: Progress) => Effect.Effect<void>
}

/** The kind of lines without a known kind. */
const UNKNOWN = "unknown"

/** The size of one transaction in bytes: some hundred lines, or one avatar. On PostgreSQL, other writers wait for its end. */
const BATCH_BYTES = 256 * 1024

/** The cost of a line in addition to its bytes, so that many short lines do not make a very long transaction. */
const LINE_OVERHEAD = 512

const kindsByName: ReadonlyMap<unknown, RecordKind> = new Map(KINDS.map((kind) => [kind.kind, kind]))

const EXPECTED_KINDS = KINDS.map(({ kind }) => kind).join(", ")

const isBlank = ({ problem, text }: Line): boolean => problem === undefined && text.trim() === ""

/** A line with its kind and record. One without them has an error, and no kind. */
interface Parsed {
  readonly number: number
  readonly kind: RecordKind | undefined
  readonly record: Either.Either<object, InvalidRecord>
}

const parse = ({ number, problem, text }: Line): Parsed => {
  const record = problem === undefined ? RecordText.parse(text) : Either.left(invalid("", problem))
  if (Either.isLeft(record)) return { number, kind: undefined, record }
  const kind = "kind" in record.right ? kindsByName.get(record.right.kind) : undefined
  const unknown = () => Either.left(invalid("kind", `must be one of ${EXPECTED_KINDS}`))
  return { number, kind, record: kind === undefined ? unknown() : record }
}

/** Groups the lines of one kind that follow one another. They are imported together. */
const groupsOf = (lines: ReadonlyArray<Line>) => {
  const parsed = lines.filter((line) => !isBlank(line)).map(parse)
  return Array.isNonEmptyArray(parsed) ? Array.groupWith(parsed, (one, other) => one.kind === other.kind) : []
}

/** Imports lines, and returns their outcomes. `tries` gets the number of the last line that is tried. */
const importAll = (lines: ReadonlyArray<Line>, report: Options["report"], tries: (line: number) => void) =>
  Effect.gen(function*() {
    const outcomes: Array<LineOutcome> = []
    for (const group of groupsOf(lines)) {
      tries(Array.lastNonEmpty(group).number)
      const { kind } = Array.headNonEmpty(group)
      const records = group.map(({ record }) => record)
      const imported = kind === undefined
        ? Array.getLefts(records).map(Either.left)
        : yield* kind.importAll(Array.getRights(records))
      const name = kind?.kind ?? UNKNOWN
      for (const [{ number }, one] of Array.zip(group, imported)) {
        if (Either.isLeft(one)) yield* report({ number, kind: name, problems: one.left.problems })
        outcomes.push([name, Either.getOrElse(one, () => "failed" as const)])
      }
    }
    return outcomes
  })

/** Groups lines by the size of a transaction. Only one group at a time is in memory. */
const batchesOf = <E, R>(lines: Stream.Stream<Line, E, R>): Stream.Stream<ReadonlyArray<Line>, E, R> =>
  Stream.suspend(() => {
    let batch: Array<Line> = []
    let cost = 0
    const add = (chunk: Iterable<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
      const full: Array<ReadonlyArray<Line>> = []
      for (const line of chunk) {
        batch.push(line)
        cost += line.bytes + LINE_OVERHEAD
        if (cost < BATCH_BYTES) continue
        full.push(batch)
        batch = []
        cost = 0
      }
      return full
    }
    const last = Stream.suspend(() => batch.length === 0 ? Stream.empty : Stream.make(batch))
    return Stream.concat(Stream.mapConcat(Stream.chunks(lines), add), last)
  })

/** Fails at the second run of a transaction that storage repeats: its lines are already read, reported and counted. */
const onlyOnce = (): Effect.Effect<void, StorageError> => {
  let begun = false
  return Effect.suspend(() => {
    if (begun) return new StorageError({ operation: "import lines beside other writers; try again" })
    begun = true
    return Effect.void
  })
}

/**
 * Imports the lines. Each is a JSON object with its `kind`. An invalid line is reported and skipped. Other lines are
 * committed in transactions of some hundred lines, so that a file can have any length. With `strict`, all lines are
 * one transaction, and an invalid line rolls it back. Unchanged records are not written again.
 *
 * An import changes state, so it also appends the events of these changes.
 */
export const run = <R>(
  lines: Stream.Stream<Line, PlatformError, R>,
  { progress = () => Effect.void, report, strict }: Options
): Effect.Effect<Summary, PlatformError | ImportStopped | StrictImportRefused, R | TransferPorts> =>
  Effect.gen(function*() {
    const { atomically, lockAll } = yield* UnitOfWork
    const references = yield* References
    const summary = new Map<string, Counts>()
    let [current, bytes, committed] = [0, 0, 0]

    const importBatch = (batch: ReadonlyArray<Line>) =>
      importAll(batch, report, (line) => {
        current = line
      })

    const advance = (batch: ReadonlyArray<Line>, outcomes: ReadonlyArray<LineOutcome>) => {
      count(summary, outcomes)
      for (const line of batch) bytes += line.bytes + 1
      if (!strict) committed = current
      return progress({ lines: current, bytes, committed, summary })
    }

    const stopped = (cause: StorageError) => new ImportStopped({ number: current, firstLost: committed + 1, cause })

    const inTransaction = <A, E, R2>(effect: Effect.Effect<A, E, R2>) =>
      Effect.suspend(() => {
        const begin = Effect.all([onlyOnce(), lockAll, references.begin], { discard: true })
        return atomically(Effect.zipRight(begin, effect))
      })

    const imported = Stream.runForEach(
      batchesOf(lines),
      (batch) =>
        Effect.flatMap(
          strict ? importBatch(batch) : inTransaction(importBatch(batch)),
          (outcomes) => advance(batch, outcomes)
        )
    )
    const refused = Effect.suspend(() => failures(summary) > 0 ? new StrictImportRefused({ summary }) : Effect.void)
    yield* Effect.catchTag(
      strict ? inTransaction(Effect.zipRight(imported, refused)) : imported,
      "StorageError",
      stopped
    )
    return summary
  }).pipe(Effect.provide(References.layer))
