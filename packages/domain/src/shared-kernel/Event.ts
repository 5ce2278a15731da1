import { Schema } from "effect"

/**
 * An event of any type: `_tag` is its type, `version` the version of its fields. A folder declares its event types with
 * `event` in a file `…Events.ts`; `DomainEvent` is their union.
 */
export interface Event {
  readonly _tag: string
  readonly version: number
}

/** Declares an event type. `type` is its name; `of` makes an event of it; its fields must be valid. */
export const event = <const Type extends string, const Fields extends Schema.Struct.Fields>(
  type: Type,
  fields: Fields
) =>
  Object.assign(
    Schema.TaggedStruct(type, { version: Schema.Literal(1), ...fields }).annotations({ identifier: type }),
    { type, of: (values: Schema.Struct.Type<Fields>) => Object.assign({ _tag: type, version: 1 as const }, values) }
  )
