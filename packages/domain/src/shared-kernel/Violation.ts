/**
 * A rule that an entity breaks though each of its fields is valid by itself. Whoever brings a whole entity in, such as an
 * import, asks for these; what the use cases make has none.
 */
export interface Violation<Entity> {
  readonly field: keyof Entity & string
  /** Continues the name of the field: "is missing". */
  readonly reason: string
}

/** The violations in a table of what has to hold, field by field. */
export const violationsIn = <Entity>(
  checks: ReadonlyArray<readonly [holds: boolean, field: keyof Entity & string, reason: string]>
): ReadonlyArray<Violation<Entity>> => checks.flatMap(([holds, field, reason]) => holds ? [] : [{ field, reason }])
