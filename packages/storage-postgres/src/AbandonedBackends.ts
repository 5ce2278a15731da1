import { Client, type ClientConfig } from "pg"

/** The process of PostgreSQL that serves a connection. Another process may get its number later. */
export interface Backend {
  readonly pid: number
  /** In seconds, as text. */
  readonly startedAt: string
}

/** Ends a process of PostgreSQL, without waiting for it. */
export type EndBackend = (backend: Backend) => void

/** The maximum number of processes that are not ended yet. The oldest ones are forgotten: PostgreSQL may end them itself. */
const MAX_PENDING = 100

/** The maximum time for a statement, in milliseconds. After that, the next call tries again. */
const ANSWER_MILLIS = 5000

const END = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND extract(epoch FROM backend_start) = $2::numeric`

/**
 * Ends the processes of PostgreSQL that run statements of closed connections. PostgreSQL does not notice a closed connection
 * until the statement ends, and a commit may wait without a limit: for a synchronous standby that is lost, for example. The
 * pool opens a connection in place of each closed one, so without this, PostgreSQL would run out of connections.
 *
 * One connection at a time does it, beside those of the pool, which may all wait. A process that has ended itself is not
 * found; nor is another one that has its number now, because it began at another time.
 */
export const make = (config: ClientConfig): EndBackend => {
  const pending: Array<Backend> = []
  let isEnding = false

  const endAll = async (): Promise<void> => {
    const client = new Client({ ...config, query_timeout: ANSWER_MILLIS })
    // Also called when the connection is lost. Without a listener, the error would end the process.
    client.on("error", () => {})
    try {
      await client.connect()
      for (let backend = pending[0]; backend !== undefined; backend = pending[0]) {
        // oxlint-disable-next-line no-await-in-loop -- They are few.
        await client.query(END, [backend.pid, backend.startedAt])
        if (pending[0] === backend) pending.shift()
      }
    } finally {
      isEnding = false
      // Not after the response to a statement, which may not come.
      void client.end()
      client.connection.stream.destroy()
    }
  }

  return (backend) => {
    if (pending.push(backend) > MAX_PENDING) pending.shift()
    if (isEnding) return
    isEnding = true
    // If it fails, the next call tries the rest again.
    endAll().catch(() => {})
  }
}
