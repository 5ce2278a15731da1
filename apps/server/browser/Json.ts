/** The value of a member; undefined if there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** The text of a member; empty if it is not a text. */
export const text = (value: unknown, name: string): string => {
  const found = member(value, name)
  return typeof found === "string" ? found : ""
}

/** The items of a member; empty if it is not a list. */
export const list = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const found = member(value, name)
  return Array.isArray(found) ? found : []
}

/** The number of a member; undefined if it is not a number. */
export const number = (value: unknown, name: string): number | undefined => {
  const found = member(value, name)
  return typeof found === "number" ? found : undefined
}
