import { wellFormedIn } from "@community-messaging/domain/shared-kernel/WellFormedText"
import * as Violations from "@community-messaging/http-adapter/server/Violations"
import { Violation } from "@community-messaging/http-adapter/wire/Violation"
import { MAX_DEPTH } from "@community-messaging/json-reader/JsonReader"
import { Effect, Predicate, Schema, type SchemaAST } from "effect"
import type { WithUndefined } from "./OptionalField.ts"

/**
 * The input of a call does not match its type. `violations` lists all errors: `path` is the field, such as `role_ids.0`, or
 * `root` for the input as a whole.
 */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  violations: Schema.Array(Violation)
}) {
  override get message(): string {
    return this.violations.map(({ message, path }) => `${path} ${message}`).join("; ")
  }
}

type Members = Readonly<Record<string, unknown>>

/** Whether the members of a value are read. */
type HasReadableMembers = (value: unknown) => value is Members

/** Also an instance of a class, but not a buffer, whose members are its bytes. */
const isObject: HasReadableMembers = (value): value is Members =>
  Predicate.isRecord(value) && !ArrayBuffer.isView(value)

/** Not an instance of a class, such as a layer. */
const isPlainObject: HasReadableMembers = (value): value is Members =>
  Predicate.isRecord(value) && Object.getPrototypeOf(value) === Object.prototype

/** Returns whether arrays and objects are nested deeper than `levels` or contain themselves. HTTP rejects such bodies. */
const isDeeperThan = (levels: number, value: unknown, isReadable: HasReadableMembers): boolean => {
  const members = Array.isArray(value) ? value : isReadable(value) ? Object.values(value) : undefined
  return members !== undefined &&
    (levels === 0 || members.some((member) => isDeeperThan(levels - 1, member, isReadable)))
}

/** Leaves out the members that are undefined, as JSON does, and replaces the lone surrogates of texts, as UTF-8 does. */
const asTransmitted = (value: unknown, isReadable: HasReadableMembers): unknown => {
  if (Predicate.isString(value)) return wellFormedIn(value)
  if (Array.isArray(value)) return value.map((item) => asTransmitted(item, isReadable))
  return isReadable(value) ? definedMembers(value, isReadable) : value
}

const definedMembers = (object: Members, isReadable: HasReadableMembers): Members =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, asTransmitted(member, isReadable)]]
    )
  )

/** `isReadable` decides about the objects inside the input. */
const decodeWith =
  (options: SchemaAST.ParseOptions, isReadable: HasReadableMembers) =>
  <A, I>(schema: Schema.Schema<A, I>) =>
  (
    input: unknown
  ): Effect.Effect<A, InvalidInput> =>
    // The members of an input may be computed, and throw errors.
    Effect.suspend(() =>
      isDeeperThan(MAX_DEPTH, input, isReadable)
        ? invalidField("root", `must not be nested more than ${MAX_DEPTH} levels deep`)
        : Effect.mapError(
          Schema.decodeUnknown(schema, { errors: "all", ...options })(
            isObject(input) ? definedMembers(input, isReadable) : input
          ),
          ({ issue }) => new InvalidInput({ violations: Violations.ofBody(issue) })
        )
    )

/** Decodes an input, or fails with all of its violations. */
export const decode = decodeWith({}, isObject)

/** Decodes options. An unknown one is a violation, too. */
export const decodeOptions = decodeWith({ onExcessProperty: "error" }, isPlainObject)

/** An operation on a decoded input. Callers pass its encoded form. */
export const operation =
  <A, I, B, E, R>(schema: Schema.Schema<A, I>, run: (input: A) => Effect.Effect<B, E, R>) =>
  (input: WithUndefined<I>): Effect.Effect<B, E | InvalidInput, R> => Effect.flatMap(decode(schema)(input), run)

/** The failure for one field that is wrong for another reason than its schema. */
export const invalidField = (path: string, message: string): InvalidInput =>
  new InvalidInput({ violations: [{ path, message, code: "INVALID_FORMAT" }] })
