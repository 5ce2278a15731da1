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

/** Objects of classes inside an input, such as a layer, are not inspected. */
const isPlainObject = (value: unknown): value is Members =>
  Predicate.isRecord(value) && Object.getPrototypeOf(value) === Object.prototype

/** Returns whether arrays and objects are nested deeper than `levels` or contain themselves. HTTP rejects such bodies. */
const isDeeperThan = (levels: number, value: unknown): boolean => {
  const members = Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : undefined
  return members !== undefined && (levels === 0 || members.some((member) => isDeeperThan(levels - 1, member)))
}

const toPlain = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(toPlain) : isPlainObject(value) ? withoutUndefined(value) : value

/** Leaves out the members that are undefined, as JSON does. */
const withoutUndefined = (input: Members): Members =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => value === undefined ? [] : [[name, toPlain(value)]])
  )

const decodeWith = (options: SchemaAST.ParseOptions) =>
<A, I>(schema: Schema.Schema<A, I>) =>
(
  input: unknown
): Effect.Effect<A, InvalidInput> =>
  isDeeperThan(MAX_DEPTH, input)
    ? invalidField("root", `must not be nested more than ${MAX_DEPTH} levels deep`)
    : Effect.mapError(
      Schema.decodeUnknown(schema, { errors: "all", ...options })(
        Predicate.isRecord(input) ? withoutUndefined(input) : input
      ),
      ({ issue }) => new InvalidInput({ violations: Violations.ofBody(issue) })
    )

/** Decodes an input, or fails with all of its violations. */
export const decode = decodeWith({})

/** Decodes options. An unknown one is a violation, too. */
export const decodeOptions = decodeWith({ onExcessProperty: "error" })

/** An operation on a decoded input. Callers pass its encoded form. */
export const operation =
  <A, I, B, E, R>(schema: Schema.Schema<A, I>, run: (input: A) => Effect.Effect<B, E, R>) =>
  (input: WithUndefined<I>): Effect.Effect<B, E | InvalidInput, R> => Effect.flatMap(decode(schema)(input), run)

/** The failure for one field that is wrong for another reason than its schema. */
export const invalidField = (path: string, message: string): InvalidInput =>
  new InvalidInput({ violations: [{ path, message, code: "INVALID_FORMAT" }] })
