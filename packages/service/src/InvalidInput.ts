import { MAX_DEPTH } from "@community-messaging/http-adapter/server/json/JsonReader"
import * as Violations from "@community-messaging/http-adapter/server/Violations"
import { Violation } from "@community-messaging/http-adapter/wire/Violation"
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

/** Whether an object of an input has members. */
type IsObject = (value: unknown) => value is Members

/** Also an instance of a class. A buffer has no members: they would be its bytes. */
const isObject: IsObject = (value): value is Members => Predicate.isRecord(value) && !ArrayBuffer.isView(value)

/** Not an instance of a class, such as a layer. */
const isPlainObject: IsObject = (value): value is Members =>
  Predicate.isRecord(value) && Object.getPrototypeOf(value) === Object.prototype

/** Returns whether arrays and objects are nested deeper than `levels` or contain themselves. HTTP rejects such bodies. */
const isDeeperThan = (levels: number, value: unknown, isMembers: IsObject): boolean => {
  const members = Array.isArray(value) ? value : isMembers(value) ? Object.values(value) : undefined
  return members !== undefined &&
    (levels === 0 || members.some((member) => isDeeperThan(levels - 1, member, isMembers)))
}

/** Leaves out the members that are undefined, as JSON does. */
const withoutUndefined = (value: unknown, isMembers: IsObject): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutUndefined(item, isMembers))
  if (!isMembers(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[name, withoutUndefined(member, isMembers)]]
    )
  )
}

const decodeWith = (options: SchemaAST.ParseOptions, isMembers: IsObject) =>
<A, I>(schema: Schema.Schema<A, I>) =>
(
  input: unknown
): Effect.Effect<A, InvalidInput> =>
  // The members of an input may be computed, and throw errors.
  Effect.suspend(() =>
    isDeeperThan(MAX_DEPTH, input, isMembers)
      ? invalidField("root", `must not be nested more than ${MAX_DEPTH} levels deep`)
      : Effect.mapError(
        Schema.decodeUnknown(schema, { errors: "all", ...options })(withoutUndefined(input, isMembers)),
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
