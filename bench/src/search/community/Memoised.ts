/** The function with a cache: calls it once for each argument. */
export const memoised = <A, B>(of: (argument: A) => B): (argument: A) => B => {
  const known = new Map<A, B>()
  return (argument) => {
    const before = known.get(argument)
    if (before !== undefined) return before
    const now = of(argument)
    known.set(argument, now)
    return now
  }
}
