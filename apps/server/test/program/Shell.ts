/** A request as a curl command says it. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** The words of a command, as a POSIX shell splits them: quotes joined, backslashes at line ends dropped. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(
    command.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g),
    ([word]) =>
      word.replace(/'([^']*)'|\\(.)/g, (_, quoted: string | undefined, escaped: string | undefined) =>
        quoted ?? escaped ?? "")
  )

/** The curl commands of a text, which begin their lines and end at an empty one. */
export const curlCommands = (text: string): ReadonlyArray<CurlRequest> =>
  Array.from(text.matchAll(/^curl (?:.|\n)*?(?=\n\n|$(?!\n))/gm), ([command]) => {
    const all = words(command)
    const after = (flag: string) => all.flatMap((word, index) => all[index - 1] === flag ? [word] : [])
    return {
      method: after("-X")[0] ?? "GET",
      url: all.find((word) => word.startsWith("http")) ?? "",
      headers: Object.fromEntries(
        after("-H").map((header) => {
          const colon = header.indexOf(":")
          return [header.slice(0, colon), header.slice(colon + 1).trim()]
        })
      ),
      body: after("-d")[0]
    }
  })
