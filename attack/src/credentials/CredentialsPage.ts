import { Record } from "effect"
import { answerOf, OPERATIONS } from "./AccessTable.ts"
import { CREDENTIALS } from "./Credentials.ts"

/*
 * docs/credentials.md. A test compares the page with the table; `npx vitest run --project attack -u` writes it.
 */

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const HEAD = `# Credentials

Every operation of the [API reference](api-reference.md#operations) by every kind of credential: the status, and the
code of an error. The requests are valid otherwise. The table is \`attack/src/credentials/AccessTable.ts\`; \`npm test\`
sends each of these requests to a running server and compares the answers, and fails if this page differs from the table.

A token that is presented where another kind is expected is refused like an unknown one. The three operations on webhooks
ignore \`Authorization\`: a caller that has no webhook's token is tried with one that nobody has.`

/** The text of the page: one table for each way to present credentials. */
export const markdown = (): string => {
  const names = Record.keys(CREDENTIALS)
  const tables = OPERATIONS.map((operation) => {
    const rows = names.map((name) => line([CREDENTIALS[name].name, answerOf(operation, name).replace(/ (\w+)$/, " `$1`")]))
    return [`## ${operation.name}`, "", line(["credential", "answer"]), line(["---", "---"]), ...rows].join("\n")
  })
  return `${[HEAD, ...tables].join("\n\n")}\n`
}
