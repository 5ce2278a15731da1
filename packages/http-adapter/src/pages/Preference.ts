const weightOf = (parameters: ReadonlyArray<string>): number => {
  const [, text] = parameters.map((parameter) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)).find(Boolean)
    ?? []
  return text === undefined ? 1 : Math.min(1, Number(text))
}

/** The ranges that name a media type or a coding, the most specific first. */
const rangesOf = (offered: string): ReadonlyArray<string> => {
  const slash = offered.indexOf("/")
  return slash === -1 ? [offered, "*"] : [offered, `${offered.slice(0, slash)}/*`, "*/*"]
}

/**
 * Returns the client's preference for a media type (`Accept`) or a coding (`Accept-Encoding`), from 0 to 1 (RFC 9110, 12.4.2).
 * 0 if it is not acceptable, or the header does not mention it.
 */
export const weightFor = (header: string | undefined, offered: string): number => {
  const accepted = (header ?? "").split(",").map((member) => {
    const [range = "", ...parameters] = member.split(";")
    return { range: range.trim().toLowerCase(), weight: weightOf(parameters) }
  })
  const [preferred] = rangesOf(offered).flatMap((candidate) => accepted.filter(({ range }) => range === candidate))
  return preferred?.weight ?? 0
}
