import type { Violation } from "@community-messaging/domain/shared-kernel/Violation"
import { Data, Effect } from "effect"

/** What is wrong with a record, and where: the path of the field, empty for the record as a whole. */
export interface Problem {
  readonly path: string
  readonly reason: string
}

/** A record that can not be taken in. Nothing of it was kept. */
export class InvalidRecord extends Data.TaggedError("InvalidRecord")<{ readonly problems: ReadonlyArray<Problem> }> {}

/** A record with one thing wrong. */
export const invalid = (path: string, reason: string): InvalidRecord =>
  new InvalidRecord({ problems: [{ path, reason }] })

/** Fails with all the problems, if there are any. */
export const refuse = (problems: Iterable<Problem>): Effect.Effect<void, InvalidRecord> => {
  const all = Array.from(problems)
  return all.length === 0 ? Effect.void : Effect.fail(new InvalidRecord({ problems: all }))
}

/** The rules that an entity breaks, under the names that its fields have in the file. */
export const ofViolations = <Entity>(found: ReadonlyArray<Violation<Entity>>): ReadonlyArray<Problem> =>
  found.map(({ field, reason }) => ({
    path: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    reason
  }))
