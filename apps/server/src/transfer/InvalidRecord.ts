import type { Violation } from "@community-messaging/domain/shared-kernel/Violation"
import { Data, Effect, String } from "effect"

/** A problem of a record. `path` is the path of the field, empty for the record as a whole. */
export interface Problem {
  readonly path: string
  readonly reason: string
}

/** The record is invalid and was not imported. */
export class InvalidRecord extends Data.TaggedError("InvalidRecord")<{ readonly problems: ReadonlyArray<Problem> }> {}

/** Makes the error of a record with one problem. */
export const invalid = (path: string, reason: string): InvalidRecord =>
  new InvalidRecord({ problems: [{ path, reason }] })

/** Fails if there are problems. */
export const failOnProblems = (problems: ReadonlyArray<Problem>): Effect.Effect<void, InvalidRecord> =>
  problems.length === 0 ? Effect.void : new InvalidRecord({ problems })

/** Converts violations to problems, with the field names of records. */
export const ofViolations = <Entity>(found: ReadonlyArray<Violation<Entity>>): ReadonlyArray<Problem> =>
  found.map(({ field, reason }) => ({ path: String.camelToSnake(field), reason }))
