import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import type { Tokens } from "@community-messaging/domain/access/Tokens"
import type { Digest } from "@community-messaging/domain/shared-kernel/Digest"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import * as Violations from "@community-messaging/http-adapter/server/Violations"
import { ROOT } from "@community-messaging/http-adapter/wire/Violation"
import { Array, Chunk, Effect, Either, Option, type ParseResult, type Schema, Stream, String } from "effect"
import { InvalidRecord } from "./InvalidRecord.ts"
import type { References } from "./References.ts"

/** The outcome of an imported record. */
export type Outcome = "added" | "changed" | "unchanged"

/** The result of a line. */
export type Imported = Either.Either<Outcome, InvalidRecord>

/** The ports that imports and exports need. */
export type TransferPorts = StoragePorts | Digest | ImageInspector | Tokens

/** A kind of record: how to import and how to export it. */
export interface RecordKind {
  /** The value of `kind` in its lines. */
  readonly kind: string
  /** Imports the records of consecutive lines. Lines have no nulls: they count as missing. Returns the results in order. */
  readonly importAll: (records: ReadonlyArray<object>) => Effect.Effect<
    ReadonlyArray<Imported>,
    StorageError,
    TransferPorts | References
  >
  /** All records of this kind, one line each. */
  readonly lines: Stream.Stream<string, StorageError, TransferPorts>
}

/** The problems as the API reports them: without the values, which may be personal data. */
const problemsOf = ({ issue }: ParseResult.ParseError): InvalidRecord =>
  new InvalidRecord({
    problems: Violations.ofBody(issue).map(({ message, path }) => ({
      path: path === ROOT ? "" : String.camelToSnake(path),
      reason: message
    }))
  })

/** Makes a record kind from the schema of its lines and the functions to import and list its records. */
export const make = <A, I extends object>(options: {
  readonly kind: string
  readonly schema: Schema.Schema<A, I>
  readonly saveAll: (
    records: ReadonlyArray<A>
  ) => Effect.Effect<ReadonlyArray<Imported>, StorageError, TransferPorts | References>
  readonly all: Effect.Effect<Stream.Stream<A, StorageError, TransferPorts>, never, TransferPorts>
}): RecordKind => {
  const decode = CompiledSchema.decodeUnknownEither(options.schema, { errors: "all" })
  const encode = CompiledSchema.encodeTrustedEither(options.schema)
  return {
    kind: options.kind,
    importAll: (records) => {
      const decoded = records.map((record) => decode(record))
      return Effect.map(options.saveAll(Array.getRights(decoded)), (saved) => {
        let next = 0
        return Array.filterMap(decoded, (one): Option.Option<Imported> => {
          if (Either.isLeft(one)) return Option.some(Either.left(problemsOf(one.left)))
          next += 1
          return Option.fromNullable(saved[next - 1])
        })
      })
    },
    lines: Stream.map(
      Stream.unwrap(options.all),
      // A stored record may have passed an older schema, whose rules were less strict.
      (record) => JSON.stringify({ kind: options.kind, ...Either.getOrThrowWith(encode(record), (error) => error) })
    )
  }
}

/** Imports records one after the other. */
export const oneByOne = <A, R>(
  save: (record: A) => Effect.Effect<Outcome, InvalidRecord | StorageError, R>
) =>
(records: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<Imported>, StorageError, R> =>
  Effect.forEach(records, (record) =>
    save(record).pipe(
      Effect.map((outcome): Imported => Either.right(outcome)),
      Effect.catchTag("InvalidRecord", (problems) => Effect.succeed<Imported>(Either.left(problems)))
    ))

const PAGE = 500

/** Streams all items that a port lists, page by page. */
export const pages = <A, Key, E, R>(
  list: (
    options: { readonly after: Option.Option<Key>; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<A>, E, R>,
  key: (item: A) => Key
): Stream.Stream<A, E, R> =>
  Stream.paginateChunkEffect(Option.none<Key>(), (after) =>
    Effect.map(list({ after, limit: PAGE }), (page) => [
      Chunk.unsafeFromArray(page),
      page.length < PAGE
        ? Option.none()
        : Option.map(Option.fromNullable(page.at(-1)), (last) => Option.some(key(last)))
    ]))

/** Saves the entity if it is new or changed, and returns the outcome. */
export const outcome = <A, E, R>(
  existing: Option.Option<A>,
  record: A,
  same: (self: A, that: A) => boolean,
  write: (before: Option.Option<A>) => Effect.Effect<void, E, R>
): Effect.Effect<Outcome, E, R> =>
  Option.match(existing, {
    onNone: () => Effect.as(write(existing), "added"),
    onSome: (before) => same(before, record) ? Effect.succeed("unchanged") : Effect.as(write(existing), "changed")
  })
