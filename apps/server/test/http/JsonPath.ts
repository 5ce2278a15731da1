/** The member at the path of these keys. */
export const at = (value: unknown, ...keys: ReadonlyArray<string | number>): unknown =>
  keys.reduce<unknown>(
    (found, key) => typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined,
    value
  )
