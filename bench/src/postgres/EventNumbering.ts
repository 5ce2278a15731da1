/* oxlint-disable no-await-in-loop -- One after the other, as the database does it. */
import { Client } from "pg"
import type { RunOptions } from "../report/Measurement.ts"

/** Events that are numbered together: those of one request, and those of many servers. */
export const BATCHES = [1, 1000] as const

const PLAN = { quick: { rounds: 2, calls: 20 }, full: { rounds: 5, calls: 100 } } as const

/** Events numbered per second, round by round. */
export type MeasuredNumbering = ReadonlyArray<{ readonly batch: number; readonly perSecond: Array<number> }>

/**
 * Measures the numbering of events. Only one transaction at a time does this, so all servers on a database share the rate.
 * The time does not include writing the events, which units of work do side by side.
 */
export const run = async (url: string, { calibrate, log, quick }: RunOptions): Promise<MeasuredNumbering> => {
  const { calls, rounds } = PLAN[quick ? "quick" : "full"]
  const measured = BATCHES.map((batch) => ({ batch, perSecond: new Array<number>() }))
  const client = new Client({ connectionString: url, options: "-c search_path=community_messaging" })
  await client.connect()
  try {
    const { rows: [longest] } = await client.query<{ readonly event: string }>(
      "SELECT event FROM events ORDER BY length(event) DESC LIMIT 1"
    )
    for (let round = 1; round <= rounds; round++) {
      log(`numbering events, round ${round}`)
      for (const { batch, perSecond } of measured) {
        calibrate()
        let taken = 0
        for (let call = 0; call < calls; call++) {
          await client.query({
            name: "insert",
            text: "INSERT INTO new_events (occurred_at, event) SELECT 0, $1 FROM generate_series(1, $2::int)",
            values: [longest?.event, batch]
          })
          const begin = performance.now()
          await client.query({ name: "number", text: "SELECT * FROM keep_logs('0')" })
          taken += performance.now() - begin
        }
        perSecond.push(batch * calls * 1000 / taken)
      }
    }
    return measured
  } finally {
    await client.end()
  }
}
