/** The statements by their texts. There are few, so all are cached. */
const known = new Map<string, { readonly name: string; readonly text: string }>()

/** Returns the statement of a text with `?` for parameters, and the name under which connections prepare it once. */
export const prepared = (text: string) => {
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
