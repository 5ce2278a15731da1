import { Option, Schema } from "effect"

/**
 * An optional field: an `Option` in the entity, left out when encoded if it is `None`, and `None` by default in
 * constructors.
 */
export const optionalField = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { as: "Option", exact: true }).pipe(
    Schema.withConstructorDefault((): Option.Option<A> => Option.none())
  )
