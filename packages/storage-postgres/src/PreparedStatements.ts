/** A statement with a name under which connections prepare it once. */
interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** Returns the statement of a text with `?` for parameters. */
export type PreparedStatements = (text: string) => PreparedStatement

/** Makes the names of statements of a storage. There are few texts, so all are cached. */
export const preparedStatements = (): PreparedStatements => {
  const known = new Map<string, PreparedStatement>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    let count = 0
    const numbered = text.replaceAll("?", () => {
      count += 1
      return `$${count}`
    })
    const made = { name: `statement_${known.size + 1}`, text: numbered }
    known.set(text, made)
    return made
  }
}
