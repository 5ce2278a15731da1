import { Record } from "effect"
import { answerOf, type Operation, OPERATIONS } from "./AccessTable.ts"
import { CREDENTIALS } from "./Credentials.ts"

/*
 * docs/credentials.md. A test compares the page with the table; `npx vitest run --project attack -u` writes it.
 */

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const HEAD = `# Credentials

Every operation of the [API reference](api-reference.md#operations) by every kind of credential: the status, and the
code of an error. The requests are valid otherwise. The table is \`attack/src/credentials/AccessTable.ts\`; \`npm test\`
fails if this page differs from it. \`npm test -- --all\` sends each of these requests to a running server, and compares
the responses.

A token of a wrong kind is refused like an unknown one. The three operations on webhooks ignore \`Authorization\`: for a
credential without a webhook's token, the requests have an unknown token in the path.`

/** The response as the page shows it: its code in backticks. */
const cellOf = (answer: string): string => answer.replace(/ (\w+)$/, " `$1`")

const SECTIONS = [
  ["Operations with a bot token", "Bot"],
  ["Operations with an admin key", "Admin"],
  ["Operations with a webhook's token", "webhook"]
] as const

const section = (title: string, scheme: Operation["scheme"]): string => {
  const operations = OPERATIONS.filter((operation) => operation.scheme === scheme)
  const head = ["credential", ...operations.map(({ name }) => name)]
  const rows = Record.keys(CREDENTIALS).map((name) =>
    line([CREDENTIALS[name].name, ...operations.map((operation) => cellOf(answerOf(operation, name)))])
  )
  return [`## ${title}`, "", line(head), line(head.map(() => "---")), ...rows].join("\n")
}

/** The text of the page. */
export const markdown = (): string =>
  `${[HEAD, ...SECTIONS.map(([title, scheme]) => section(title, scheme))].join("\n\n")}\n`
