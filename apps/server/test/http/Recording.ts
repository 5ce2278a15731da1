import { appendFileSync } from "node:fs"

/** A request with its response, as JSON in a line. */
export interface Exchange {
  readonly method: string
  readonly path: string
  /** The headers of the request. */
  readonly sent: Readonly<Record<string, string>>
  /** The body of the request; null if there is none, or none that is short text. */
  readonly body: string | null
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Longer bodies are about limits, and not about what the document says of a request. In characters. */
const MOST_RECORDED = 100_000

/** What is recorded of the body of a request. */
export const recordedBody = (payload: string | Uint8Array | undefined): string | null =>
  typeof payload === "string" && payload.length <= MOST_RECORDED ? payload : null

const file = process.env["RECORD_EXCHANGES"]

/** Whether the exchanges of this run are recorded, in the file of the variable `RECORD_EXCHANGES`. */
export const isRecording = file !== undefined

/** Records the exchange if they are to be recorded. */
export const record = (exchange: Exchange): void => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}
