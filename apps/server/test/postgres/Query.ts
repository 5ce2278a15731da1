import { Effect } from "effect"
import { Client } from "pg"

/** Runs statements on a new connection. Returns the rows of the last one. */
export const query = (url: string, text: string): Effect.Effect<ReadonlyArray<Record<string, unknown>>> =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  })
