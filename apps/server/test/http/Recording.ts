import { appendFileSync } from "node:fs"
import { expect } from "vitest"
import { EXCHANGES_FOLDER, exchangesFile, HTTP_SUITE } from "../../../../test/RecordedHttpSuite.ts"

/** A request with its response, as JSON in a line. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** The headers of the request. */
  readonly sent: Readonly<Record<string, string>>
  /** The body of the request if it is short text; otherwise null. */
  readonly body: string | null
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Longer bodies test limits, not the schemas of the document. In characters. */
const MOST_RECORDED = 100_000

/** The recorded form of the body of a request. */
export const recordedBody = (payload: string | Uint8Array | undefined): string | null =>
  typeof payload === "string" && payload.length <= MOST_RECORDED ? payload : null

const folder = process.env[EXCHANGES_FOLDER]

const isOfSuite = (): boolean => expect.getState().testPath?.startsWith(HTTP_SUITE) === true

/** Records the exchange if this run records, and the test is of the HTTP suite. */
export const record = (exchange: Exchange): void => {
  if (folder !== undefined && isOfSuite()) appendFileSync(exchangesFile(folder), `${JSON.stringify(exchange)}\n`)
}
