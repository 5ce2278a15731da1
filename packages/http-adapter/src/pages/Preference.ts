/** A range of a header such as `Accept` with its weight (RFC 9110, 12.4.2). */
interface Weighted {
  readonly range: string
  readonly weight: number
}

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const [, text] = parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)).find(Boolean)
    ?? []
  return text === undefined ? 1 : Math.min(1, Number(text))
}

const parse = (header: string): ReadonlyArray<Weighted> =>
  header.split(",").flatMap((member) => {
    const [range = "", ...parameters] = member.split(";")
    return range.trim() === "" ? [] : [{ range: range.trim().toLowerCase(), weight: weightOf(parameters) }]
  })

/** The ranges that name a media type or a coding, the most specific first. */
const rangesOf = (offered: string): ReadonlyArray<string> => {
  const slash = offered.indexOf("/")
  return slash === -1 ? [offered, "*"] : [offered, `${offered.slice(0, slash)}/*`, "*/*"]
}

/**
 * Returns the client's preference for a media type (`Accept`) or a coding (`Accept-Encoding`), from 0 (not acceptable) to 1.
 * Undefined if the header does not mention it.
 */
export const weightFor = (header: string | undefined, offered: string): number | undefined => {
  const accepted = parse(header ?? "")
  for (const candidate of rangesOf(offered)) {
    const found = accepted.find(({ range }) => range === candidate)
    if (found !== undefined) return found.weight
  }
  return undefined
}
