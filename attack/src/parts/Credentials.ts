import { inTurn } from "@community-messaging/bench/report/InTurn"
import { Record } from "effect"
import { answerOf, OPERATIONS } from "../credentials/AccessTable.ts"
import { type Credential, CREDENTIALS, webhookOf } from "../credentials/Credentials.ts"
import type { Part } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import type { ServerProcess } from "../server/ServerProcess.ts"
import { exchange, outcomeOf, type Sent } from "../traffic/HttpExchange.ts"

/*
 * Every operation by every kind of credential.
 */

/** The status of a response, which may be a stream without an end. */
const statusOf = ({ origin }: ServerProcess, { headers = {}, path }: Sent): Promise<string> =>
  fetch(`${origin}${path}`, { headers }).then(async ({ body, status }) => {
    await body?.cancel()
    return String(status)
  }, () => "broken")

const answerTo = async (server: ServerProcess, sent: Sent, expected: string): Promise<string> =>
  sent.path.endsWith("/admin/events") && expected === "200"
    ? statusOf(server, sent)
    : outcomeOf(await exchange(server, sent))

/** The differences from the table, as text. */
const differences = (server: ServerProcess): Promise<ReadonlyArray<string>> =>
  inTurn(
    OPERATIONS.flatMap((operation) => Record.keys(CREDENTIALS).map((name) => ({ operation, name }))),
    async ({ name, operation }) => {
      const credential: Credential = CREDENTIALS[name]
      const { authorization } = credential
      const sent = operation.request(webhookOf(credential))
      const expected = answerOf(operation, name)
      const answer = await answerTo(server, {
        ...sent,
        headers: { ...sent.headers, ...(authorization !== undefined && { authorization }) }
      }, expected)
      return answer === expected
        ? []
        : [`${operation.name}, ${credential.name}: ${answer} instead of ${expected}`]
    }
  ).then((found) => found.flat())

export const run: Part = ({ serve }) =>
  serve(async (server) => ({
    tables: [],
    bounds: [
      Bound.none("responses that differ from the table of credentials", await differences(server)),
      Bound.none("errors in the log", server.errors())
    ]
  }))
