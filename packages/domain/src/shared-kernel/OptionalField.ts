import { Option, Schema } from "effect"

/**
 * A field that may have no value: an `Option` in the entity, left out when encoded, and `None` when a constructor does
 * not name it.
 */
export const optionalField = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { as: "Option", exact: true }).pipe(
    Schema.withConstructorDefault((): Option.Option<A> => Option.none())
  )
