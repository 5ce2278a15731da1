import { Schema, SchemaAST, String } from "effect"

type Fields = Readonly<Record<string, unknown>>

/** The fields of the encoded type; those of all members of a union. */
const fieldsOf = (encoded: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isUnion(encoded)
    ? encoded.types.flatMap(fieldsOf)
    : SchemaAST.getPropertySignatures(encoded).map(({ name }) => name.toString())

/** Gives the fields other names, and leaves out those without one. A missing field has its default. No value is undefined. */
const rename = (names: ReadonlyMap<string, string>, defaults: Fields = {}) => (fields: Fields): Fields => {
  const renamed: Record<string, unknown> = {}
  for (const [from, to] of names) {
    const value = fields[from] ?? defaults[to]
    if (value !== undefined) renamed[to] = value
  }
  return renamed
}

/**
 * Makes the schema of a record from that of its entity: the fields have their names in the API, such as `guild_id` for
 * `guildId`, and a missing field has its default. A null counts as missing, see `RecordText`.
 */
export const make = <A, I extends Fields>(entity: Schema.Schema<A, I>, defaults: Partial<I> = {}) => {
  const names = fieldsOf(SchemaAST.encodedAST(entity.ast)).map((field) => [field, String.camelToSnake(field)] as const)
  return Schema.transform(Schema.Record({ key: Schema.String, value: Schema.Unknown }), entity, {
    strict: false,
    decode: rename(new Map(names.map(([field, name]) => [name, field])), defaults),
    encode: rename(new Map(names))
  })
}

/** The field `type` of a record, for the tag of its entity. */
export const type = <const Type extends string, const Tag extends string>(name: Type, tag: Tag) =>
  Schema.propertySignature(Schema.transformLiteral(name, tag)).pipe(Schema.fromKey("type"))
