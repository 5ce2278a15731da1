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
import { failures, type Summary, Tally } from "./Tally.ts"

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

/** The content of a line. */
interface Parsed {
  readonly kind: RecordKind
  readonly record: object
}

/** The error of a line whose record cannot be read. */
interface Refused {
  readonly kind: string
  readonly error: InvalidRecord
}

const parse = ({ problem, text }: Line): Either.Either<Parsed, Refused> => {
  if (problem !== undefined) return Either.left({ kind: UNKNOWN, error: invalid("", problem) })
  const parsed = RecordText.parse(text)
  if (Either.isLeft(parsed)) return Either.left({ kind: UNKNOWN, error: parsed.left })
  const kind = "kind" in parsed.right ? kindsByName.get(parsed.right.kind) : undefined
  return kind === undefined
    ? Either.left({ kind: UNKNOWN, error: invalid("kind", `must be one of ${EXPECTED_KINDS}`) })
    : Either.right({ kind, record: parsed.right })
}

/** Imports lines, and counts them. Those of one kind that follow one another are imported together. */
class LineImport {
  /** The number of the last line that was tried. */
  current = 0
  readonly #report: Options["report"]
  readonly #together: Array<Parsed & { readonly number: number }> = []

  constructor(report: Options["report"]) {
    this.#report = report
  }

  readonly takeAll = (
    lines: ReadonlyArray<Line>,
    tally: Tally
  ): Effect.Effect<void, StorageError, TransferPorts | References> =>
    Effect.zipRight(
      Effect.forEach(lines, (line) => isBlank(line) ? Effect.void : this.#take(line, tally), { discard: true }),
      this.#flush(tally)
    )

  #take(line: Line, tally: Tally): Effect.Effect<void, StorageError, TransferPorts | References> {
    const parsed = parse(line)
    const isNext = Either.isRight(parsed) && this.#together.every(({ kind }) => kind === parsed.right.kind)
    return Effect.zipRight(
      isNext ? Effect.void : this.#flush(tally),
      Effect.suspend(() => {
        this.current = line.number
        if (Either.isLeft(parsed)) return this.#refuse(line.number, parsed.left, tally)
        this.#together.push({ ...parsed.right, number: line.number })
        return Effect.void
      })
    )
  }

  #flush(tally: Tally): Effect.Effect<void, StorageError, TransferPorts | References> {
    return Effect.suspend(() => {
      const lines = this.#together.splice(0)
      const [first] = lines
      if (first === undefined) return Effect.void
      const { kind, takeAll } = first.kind
      return Effect.flatMap(
        takeAll(lines.map(({ record }) => record)),
        (taken) =>
          Effect.forEach(Array.zip(lines, taken), ([{ number }, one]) => {
            if (Either.isLeft(one)) return this.#refuse(number, { kind, error: one.left }, tally)
            tally.add(kind, one.right)
            return Effect.void
          }, { discard: true })
      )
    })
  }

  #refuse(number: number, { error: { problems }, kind }: Refused, tally: Tally): Effect.Effect<void> {
    tally.add(kind, "failed")
    return this.#report({ number, kind, problems })
  }
}

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
    const total = new Tally()
    let [read, bytes, committed] = [0, 0, 0]
    const lineImport = new LineImport(report)

    const advance = (batch: ReadonlyArray<Line>) =>
      Effect.suspend(() => {
        for (const line of batch) bytes += line.bytes + 1
        read = lineImport.current
        if (!strict) committed = read
        return progress({ lines: read, bytes, committed, summary: total.summary })
      })

    const stopped = (cause: StorageError) =>
      new ImportStopped({ number: lineImport.current, firstLost: committed + 1, cause })

    const inTransaction = <A, E, R2>(effect: Effect.Effect<A, E, R2>) =>
      Effect.suspend(() =>
        atomically(
          onlyOnce().pipe(
            Effect.zipRight(lockAll),
            Effect.zipRight(references.begin),
            Effect.zipRight(effect)
          )
        )
      )

    if (strict) {
      yield* Stream.runForEach(
        batchesOf(lines),
        (batch) => Effect.zipRight(lineImport.takeAll(batch, total), advance(batch))
      ).pipe(
        Effect.zipRight(
          Effect.suspend(() =>
            failures(total.summary) > 0 ? new StrictImportRefused({ summary: total.summary }) : Effect.void
          )
        ),
        inTransaction,
        Effect.catchTag("StorageError", stopped)
      )
    } else {
      yield* Stream.runForEach(batchesOf(lines), (batch) => {
        const tally = new Tally()
        return inTransaction(lineImport.takeAll(batch, tally)).pipe(
          Effect.catchTag("StorageError", stopped),
          Effect.zipRight(Effect.suspend(() => {
            total.addAll(tally)
            return advance(batch)
          }))
        )
      })
    }
    return total.summary
  }).pipe(Effect.provide(References.layer))
