import { appendFileSync } from "node:fs"

/** A request with its response, as JSON in a line. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const file = process.env["RECORD_EXCHANGES"]

/** Whether the exchanges of this run are recorded, in the file of the variable `RECORD_EXCHANGES`. */
export const isRecording = file !== undefined

/** Records the exchange if they are to be recorded. */
export const record = (exchange: Exchange): void => {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}
