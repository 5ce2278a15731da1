import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { Effect, Exit, Scope } from "effect"
import { Client } from "pg"

/** A connection to a PostgreSQL that has pg_trgm. */
export interface PostgresConnection {
  readonly client: Client
  readonly version: string
  readonly close: () => Promise<void>
}

/** All data stays in memory, and the planner's costs fit that. */
const SETTINGS = {
  shared_buffers: "2GB",
  effective_cache_size: "4GB",
  work_mem: "128MB",
  maintenance_work_mem: "512MB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  fsync: "off",
  jit: "off"
}

/** Connects to the server of `DATABASE_URL`, or else starts one. Rejects with the reason if there is none. */
export const connect = async (): Promise<PostgresConnection> => {
  const scope = Effect.runSync(Scope.make())
  const closeServer = () => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const { url } = await Effect.runPromise(Scope.extend(LocalPostgres.start(SETTINGS), scope))
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    const { rows } = await client.query<{ readonly server_version: string }>("SHOW server_version")
    return {
      client,
      version: rows[0]?.server_version ?? "",
      close: async () => {
        await client.end()
        await closeServer()
      }
    }
  } catch (error) {
    await closeServer()
    throw error
  }
}
