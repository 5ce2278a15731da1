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

/** A role that may only connect to that database, and the URL with it. */
export const roleWithoutRights = (url: string) =>
  Effect.gen(function*() {
    const name = `role_${new URL(url).pathname.slice(1)}`
    yield* Effect.acquireRelease(
      query(url, `CREATE ROLE ${name} LOGIN PASSWORD 'app'`),
      () => query(url, `DROP OWNED BY ${name}; DROP ROLE ${name}`)
    )
    const own = new URL(url)
    own.username = name
    own.password = "app"
    return { name, url: own.href }
  })
