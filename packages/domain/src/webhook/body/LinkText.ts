/* How the text of a link looks: it can look like an address, and so pretend another target than the link has. */

/** An address, words with an address among them, or words alone. */
export type Look = "Address" | "WordsWithAddress" | "Words"

/** Names with a point between them. It begins only at the beginning of a name, so that its time is linear. */
const DOTTED = /(?<![\p{L}\p{M}\p{N}_-])[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu

/** A name that is a top-level domain, or begins with one. With an underscore within, it is an identifier of a program. */
const TOP_LEVEL = /^(?:\p{L}[\p{L}\p{M}]+(?!_*[\p{L}\p{M}\p{N}])|xn--[a-z0-9-]+)/iu

/** The end of a host. */
const HOST_END = /\.(?:\p{L}[\p{L}\p{M}]+[_-]*|xn--[a-z0-9-]+)$/iu

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** The extensions of files that are often named in the texts of links, without those that are top-level domains, too. */
const FILE = new RegExp(
  `\\.(?:${
    "bat|cfg|cjs|conf|cpp|cs|css|csv|cts|env|exe|gif|go|gradle|gz|htm|html|ini|ipynb|jar|java|jpeg|jpg|js|json|jsonc|jsx|kt" +
    "|kts|lock|log|lua|mdx|mjs|mts|patch|pdf|php|png|proto|ps1|rb|rst|scss|sql|svg|swift|toml|ts|tsx|txt|vue|wasm|webp|xml" +
    "|yaml|yml"
  })$`,
  "i"
)

/** Extensions that are top-level domains, too. */
const FILE_OR_HOST = /\.(?:md|py|rs|sh)$/i

/** A document of a repository, such as README.md. */
const DOCUMENT = /^[A-Z_-]+\.md$/

/** The text as a reader sees it: without invisible characters, and with letters and signs of other forms as usual ones. */
const asSeen = (text: string): string =>
  text.normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u2044\u2215\u2571\u29f8]/g, "/")
    .replace(/[\u02d0\u2236\ua789]/g, ":")
    .replace(/[\u0701\u0702\u3002\ua4f8]/g, ".")

/** Returns whether the name in the text is that of a file. One that is a host, too, is a file below a folder. */
const isFile = (name: string, index: number, seen: string): boolean => {
  if (FILE.test(name)) return true
  if (!FILE_OR_HOST.test(name) || seen[index + name.length] === "/") return false
  return DOCUMENT.test(name) || /[\p{L}\p{M}\p{N}_-]\/$/u.test(seen.slice(Math.max(0, index - 3), index))
}

const isHost = (name: string): boolean =>
  IPV4.test(name) || name.split(".").slice(1).some((label) => TOP_LEVEL.test(label))

/** Returns how a reader sees the text of a link: also with letters of any script, or between punctuation and symbols. */
export const look = (text: string): Look => {
  const seen = asSeen(text)
  if (seen.includes("://")) return "Address"
  for (const { 0: name, index } of seen.matchAll(DOTTED)) {
    if (!isHost(name) || isFile(name, index, seen)) continue
    const isAlone = (IPV4.test(name) || HOST_END.test(name)) &&
      !/[\p{L}\p{N}]/u.test(seen.slice(0, index)) &&
      /^(?:[/:?#]|[\p{P}\p{S}\s]*$)/u.test(seen.slice(index + name.length))
    return isAlone ? "Address" : "WordsWithAddress"
  }
  return "Words"
}
