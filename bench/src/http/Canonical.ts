const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([self], [that]) => self < that ? -1 : 1))
    : value

/** JSON with sorted keys, so that equal values have equal text. */
export const canonical = (value: unknown): string => JSON.stringify(value, sorted)
