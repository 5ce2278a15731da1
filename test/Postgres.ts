import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { Effect, Exit, Scope } from "effect"

/** The name of the environment variable that gives tests the URL of the server. */
const VARIABLE = "TEST_DATABASE_URL"

/**
 * The data of a test is temporary, so commits need not wait for the disk, and it waits no second until a deadlock ends.
 * Autovacuum would change statistics, and so plans, at some moment of a run.
 */
const SETTINGS = {
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "200",
  shared_buffers: "256MB",
  deadlock_timeout: "100ms"
}

/** Starts one PostgreSQL server for all test files of a run; the returned function stops the server. */
export const setup = async (): Promise<() => Promise<void>> => {
  // Another project of the run has started the server.
  if (process.env[VARIABLE] !== undefined) return () => Promise.resolve()
  const scope = Effect.runSync(Scope.make())
  const server = await Effect.runPromise(Scope.extend(LocalPostgres.start(SETTINGS), scope))
  process.env[VARIABLE] = server.url
  return async () => {
    delete process.env[VARIABLE]
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** An empty database on that server; its URL. */
export const emptyDatabase = Effect.suspend(() => {
  const url = process.env[VARIABLE]
  return url === undefined ? Effect.dieMessage(`${VARIABLE} is not set`) : LocalPostgres.at(url).database
})
