import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { PlatformError } from "@effect/platform/Error"
import { Chunk, Data, Effect, Either, Option, Sink, Stream } from "effect"
import { invalid, type InvalidRecord, type Problem } from "./InvalidRecord.ts"
import { KINDS } from "./Kinds.ts"
import type { Line } from "./Lines.ts"
import type { Outcome, RecordKind, TransferPorts } from "./RecordKind.ts"
import { References } from "./References.ts"

/** The number of lines of a kind by outcome. */
export type Counts = Readonly<Record<Outcome | "failed", number>>

/** The result of an import by record kind. Lines of an unknown kind are counted under "unknown". */
export type Summary = ReadonlyMap<string, Counts>

/** A line that was not imported. */
export interface FailedLine {
  readonly number: number
  readonly kind: string
  readonly problems: ReadonlyArray<Problem>
}

/** A strict import with invalid lines. Nothing was imported. */
export class StrictImportRefused extends Data.TaggedError("StrictImportRefused")<{ readonly summary: Summary }> {}

/** Storage failed during the import. The batch of this line and all later lines are not imported. */
export class ImportStopped extends Data.TaggedError("ImportStopped")<{
  /** The line at which storage failed. */
  readonly number: number
  /** The first line that was not imported. */
  readonly firstLost: number
  readonly cause: StorageError
}> {}

/** The kind of lines without a known kind. */
const UNKNOWN = "unknown"

const NO_COUNTS: Counts = { added: 0, changed: 0, unchanged: 0, failed: 0 }

/** The size of one transaction in bytes: some thousand lines, or one avatar. */
const BATCH_BYTES = 1024 * 1024

/** The cost of a line in addition to its bytes, so that many short lines do not make a very long transaction. */
const LINE_OVERHEAD = 512

const kindsByName: ReadonlyMap<string, RecordKind> = new Map(KINDS.map((kind) => [kind.kind, kind]))

/** Removes nulls and replaces lone surrogates, which cannot be encoded in UTF-8, by U+FFFD. */
const clean = (value: unknown): unknown => {
  if (value === null) return undefined
  return typeof value === "string" ? value.replaceAll(/\p{Surrogate}/gu, "\ufffd") : value
}

/** Parses the line. Nulls are removed, so that a null field equals a missing one. */
const parse = ({ problem, text }: Line): Either.Either<object, InvalidRecord> =>
  problem !== undefined ? Either.left(invalid("", problem)) : Either.try({
    try: (): unknown => JSON.parse(text, (_, value: unknown) => clean(value)),
    catch: () => invalid("", "is not JSON")
  }).pipe(
    Either.filterOrLeft(
      (value): value is object => typeof value === "object" && value !== null && !Array.isArray(value),
      () => invalid("", "is not a JSON object")
    )
  )

const takeLine = (line: Line): Effect.Effect<
  { readonly kind: string; readonly result: Either.Either<Outcome, InvalidRecord> },
  StorageError,
  TransferPorts | References
> => {
  const parsed = parse(line)
  if (Either.isLeft(parsed)) return Effect.succeed({ kind: UNKNOWN, result: Either.left(parsed.left) })
  const name = "kind" in parsed.right ? parsed.right.kind : undefined
  const kind = typeof name === "string" ? kindsByName.get(name) : undefined
  if (kind === undefined) {
    const expected = Array.from(kindsByName.keys()).join(", ")
    return Effect.succeed({ kind: UNKNOWN, result: Either.left(invalid("kind", `must be one of ${expected}`)) })
  }
  return kind.take(parsed.right).pipe(
    Effect.map((outcome) => Either.right(outcome)),
    Effect.catchTag("InvalidRecord", (error) => Effect.succeed(Either.left(error))),
    Effect.map((result) => ({ kind: kind.kind, result }))
  )
}

const count = (summary: Summary, kind: string, what: keyof Counts): Summary => {
  const counts = summary.get(kind) ?? NO_COUNTS
  return new Map(summary).set(kind, { ...counts, [what]: counts[what] + 1 })
}

/** Returns the number of lines that were not imported. */
export const failures = (summary: Summary): number =>
  Array.from(summary.values()).reduce((total, { failed }) => total + failed, 0)

/**
 * Imports the lines. Each is a JSON object with its `kind`. An invalid line is reported and skipped. Other lines are
 * committed in transactions of some thousand lines, so that a file can have any length. With `strict`, all lines are
 * one transaction, and an invalid line rolls it back. Unchanged records are not written again.
 *
 * An import changes state, so it also appends the events of these changes.
 */
export const run = <R>(lines: Stream.Stream<Line, PlatformError, R>, options: {
  readonly strict: boolean
  readonly report: (line: FailedLine) => Effect.Effect<void>
}): Effect.Effect<Summary, PlatformError | ImportStopped | StrictImportRefused, R | TransferPorts> =>
  Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    // The number of the current line; at a commit, that of the last one.
    let current = 0

    const take = (summary: Summary, line: Line) =>
      Effect.gen(function*() {
        current = line.number
        const { kind, result } = yield* takeLine(line)
        if (Either.isRight(result)) return count(summary, kind, result.right)
        yield* options.report({ number: line.number, kind, problems: result.left.problems })
        return count(summary, kind, "failed")
      })

    const stoppedFrom = (firstLost: number) => (cause: StorageError) =>
      new ImportStopped({ number: current, firstLost, cause })

    const written = lines.pipe(Stream.filter(({ problem, text }) => problem !== undefined || text.trim() !== ""))
    const none: Summary = new Map()

    if (options.strict) {
      return yield* Stream.runFoldEffect(written, none, take).pipe(
        Effect.tap((summary) => failures(summary) > 0 ? new StrictImportRefused({ summary }) : Effect.void),
        atomically,
        Effect.catchTag("StorageError", stoppedFrom(1))
      )
    }
    return yield* written.pipe(
      Stream.transduce(Sink.foldWeighted({
        initial: Chunk.empty<Line>(),
        maxCost: BATCH_BYTES,
        cost: (_, line: Line) => line.bytes + LINE_OVERHEAD,
        body: (batch, line: Line) => Chunk.append(batch, line)
      })),
      Stream.runFoldEffect(none, (summary, batch) => {
        const first = Option.match(Chunk.head(batch), { onNone: () => current, onSome: ({ number }) => number })
        return Effect.catchTag(atomically(Effect.reduce(batch, summary, take)), "StorageError", stoppedFrom(first))
      })
    )
  }).pipe(Effect.provide(References.layer))
