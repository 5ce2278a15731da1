/**
 * What is wrong with an entity whose fields are each valid, but not together. Whoever brings a whole entity in, such as an
 * import, asks for these; what the use cases make has none.
 */
export interface Contradiction<Entity> {
  readonly field: keyof Entity & string
  /** Continues the name of the field: "is missing". */
  readonly reason: string
}
