import { DateTime, Option } from "effect"

const onWire = (value: unknown): unknown => {
  if (Option.isOption(value)) return Option.match(value, { onNone: () => null, onSome: onWire })
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  return typeof value === "bigint" ? String(value) : value
}

/** The fields of an entity as most resources have them: in snake case, and with null for those without a value. */
export const inSnakeCase = (fields: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      onWire(value)
    ])
  )
