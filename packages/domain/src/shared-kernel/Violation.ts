/**
 * A rule that an entity breaks although each of its fields is valid. An import checks the entities that it reads for
 * violations; use cases never produce any.
 */
export interface Violation<Entity> {
  readonly field: keyof Entity & string
  /** A phrase that follows the name of the field, such as "is required". */
  readonly reason: string
}

/** Returns the violations: the rows of the table whose condition is false. */
export const violationsIn = <Entity>(
  checks: ReadonlyArray<readonly [holds: boolean, field: keyof Entity & string, reason: string]>
): ReadonlyArray<Violation<Entity>> => checks.flatMap(([holds, field, reason]) => holds ? [] : [{ field, reason }])
