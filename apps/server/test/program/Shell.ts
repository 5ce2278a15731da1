/** The request of a curl command. */
export interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Replaces the variables of a text by their values; unknown ones stay. */
export const substitute = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$([A-Z_]+)/g, (whole, name: string) => variables[name] ?? whole)

const QUOTED = /'([^']*)'|"([^"]*)"|\\(.)/g

/** The words of a command, as a POSIX shell splits them: quotes joined, backslashes at line ends dropped. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(
    command.replaceAll("\\\n", " ").matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g),
    ([word]) =>
      word.replace(QUOTED, (whole, single?: string, double?: string, escaped?: string) =>
        single ?? double ?? escaped ?? whole)
  )

/** The curl commands of a text. Each begins a line, and continues while lines end with a backslash. */
export const curlCommands = (text: string): ReadonlyArray<CurlRequest> =>
  Array.from(text.matchAll(/^curl (?:.*\\\n)*.*$/gm), ([command]) => {
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
