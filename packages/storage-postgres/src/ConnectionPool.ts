import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Exit, Redacted, type Scope } from "effect"
import { type ClientConfig, escapeIdentifier, Pool, type PoolClient } from "pg"
import * as AbandonedBackends from "./AbandonedBackends.ts"
import { Connection } from "./Connection.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import type { Settings } from "./PostgresOptions.ts"
import * as TypeParsers from "./TypeParsers.ts"

/** How long an unused connection stays open, in milliseconds. */
const UNUSED_MILLIS = 60_000

/** How long the end of the storage waits for running work, in milliseconds. */
const CLOSE_MILLIS = 5000

/** The idle time after which the system sends TCP keep-alive probes, in milliseconds. */
const KEEP_ALIVE_MILLIS = 10_000

/** The time for the network in addition to the statement timeout, in milliseconds. After both, the connection is lost. */
const NETWORK_MILLIS = 5000

/** PostgreSQL ends an idle unit of work after this multiple of the process's own limit, in case the process has stopped. */
const IDLE_FACTOR = 2

/** How long the pool opens no more connections after PostgreSQL had none left, in milliseconds. */
const FULL_MILLIS = 1000

/** The configuration of clients. */
export const clientConfig = ({ connectMillis, statementMillis, url }: Settings): ClientConfig => {
  const given = new URL(Redacted.value(url))
  // The modes then have their usual meanings. Otherwise, this version of the driver treats all of them as `verify-full`.
  if (given.searchParams.has("sslmode")) given.searchParams.set("uselibpqcompat", "true")
  return {
    connectionString: given.href,
    connectionTimeoutMillis: connectMillis,
    fallback_application_name: "community-messaging",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MILLIS,
    query_timeout: statementMillis + NETWORK_MILLIS,
    pipeline: true,
    types: TypeParsers.make()
  }
}

/** PostgreSQL has this limit since version 17. An import, an export or the build of a large index may exceed it. */
const WITHOUT_TRANSACTION_TIMEOUT = `
  SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL`

/** The first statements on each connection. They override what is set for the role or the database. */
export const settingsStatement = ({ idleMillis, lockMillis, schema, statementMillis }: Settings): string =>
  [
    ...[
      `search_path TO ${escapeIdentifier(schema)}`,
      `statement_timeout TO ${Math.ceil(statementMillis)}`,
      `lock_timeout TO ${Math.ceil(lockMillis)}`,
      `idle_in_transaction_session_timeout TO ${Math.ceil(idleMillis * IDLE_FACTOR)}`,
      "default_transaction_isolation TO 'read committed'",
      "bytea_output TO 'hex'"
    ].map((setting) => `SET ${setting}`),
    WITHOUT_TRANSACTION_TIMEOUT
  ].join("; ")

/** A bounded number of connections. */
export interface ConnectionPool {
  /** The maximum number of connections. */
  readonly size: number
  /** How long to wait for a connection, in milliseconds. */
  readonly waitMillis: number
  /** Calls back with a free connection, or with a failure after the timeout. Returns a function that cancels the request. */
  readonly request: (done: (connection: Exit.Exit<Connection, StorageError>) => void) => () => void
  /** Waits for a free connection, until the timeout. Only the waiting can be interrupted. */
  readonly acquire: (restore: Restore) => Effect.Effect<Connection, StorageError>
  /** Runs an effect on a free connection. */
  readonly use: <A, E, R>(
    effect: (connection: Connection) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Reads committed data, on any connection. */
  readonly read: Run
  /** Returns a connection to the pool. Closes it if it cannot be used again. */
  readonly release: (connection: Connection) => void
  /** Closes a connection whose settings were changed. */
  readonly discard: (connection: Connection) => void
}

/** Opens a pool that closes with the scope. Connections are opened when they are needed. */
export const make = (settings: Settings): Effect.Effect<ConnectionPool, StorageError, Scope.Scope> =>
  Effect.gen(function*() {
    const config = yield* Effect.try({
      try: () => clientConfig(settings),
      catch: () => new StorageError({ operation: "read the URL of the database" })
    })
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool({ ...config, max: settings.poolSize, idleTimeoutMillis: UNUSED_MILLIS })),
      end
    )
    // The pool removes a connection that is lost while it is unused.
    pool.on("error", () => {})
    return connectionsOf(pool, settings, AbandonedBackends.make(config))
  })

/** Waits for connections in use, but only for a limited time. */
const end = (pool: Pool): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), CLOSE_MILLIS)
    pool.end(() => {
      clearTimeout(timer)
      resume(Effect.void)
    })
  })

const connectionsOf = (
  pool: Pool,
  settings: Settings,
  endBackend: AbandonedBackends.EndBackend
): ConnectionPool => {
  const configuration = settingsStatement(settings)
  /** The connections that serve requests, without those that are being opened. */
  const connections = new Map<PoolClient, Connection>()
  const clients = new WeakMap<Connection, PoolClient>()
  /**
   * Since when a connection that was lost had been silent. The cause, such as a machine that is gone, may concern all others
   * that have been unused since then, and nothing reports it: each would fail a unit only after the timeout of statements.
   */
  let silentSince = Number.NEGATIVE_INFINITY
  pool.on("remove", (client) => connections.delete(client))

  let whenNotFull: NodeJS.Timeout | undefined
  /** Lets the pool queue requests for the connections that it has, as if it had all. */
  const noteFull = () => {
    pool.options.max = connections.size
    clearTimeout(whenNotFull)
    whenNotFull = setTimeout(() => {
      pool.options.max = settings.poolSize
    }, FULL_MILLIS)
    whenNotFull.unref()
  }

  const request: ConnectionPool["request"] = (done) => {
    const deadline = performance.now() + settings.connectMillis
    let isCancelled = false
    let given: PoolClient | undefined
    const connect = () => pool.connect(take)
    const fail = (cause: PostgresFailure.PostgresFailure) => {
      if (isCancelled) return
      if (PostgresFailure.isTooManyConnections(cause) && connections.size > 0 && performance.now() < deadline) {
        noteFull()
        return connect()
      }
      done(Exit.fail(new StorageError({ operation: "connect to the database", cause })))
    }
    const take = (error: Error | undefined, client: PoolClient | undefined) => {
      if (client === undefined) return fail(PostgresFailure.of(error))
      // It listens for a lost connection from now on. The pool does not, until the connection is released.
      const connection = connections.get(client)
      if (connection === undefined) {
        const opened = new Connection(client, configuration, endBackend)
        return opened.identify(settings.connectMillis, (failure) => {
          if (failure === undefined) {
            connections.set(client, opened)
            clients.set(opened, client)
            return take(undefined, client)
          }
          client.release(true)
          fail(failure)
        })
      }
      // In the next tick: the pool would call the next request inside this call, and thousands may have been cancelled.
      if (isCancelled) return process.nextTick(() => client.release(!connection.isUsable))
      if (connection.lastActive < silentSince) {
        connection.close()
        client.release(true)
        return connect()
      }
      given = client
      done(Exit.succeed(connection))
    }
    connect()
    return () => {
      isCancelled = true
      given?.release()
    }
  }

  const acquire: ConnectionPool["acquire"] = (restore) =>
    Effect.suspend(() => {
      let cancel = () => {}
      const waiting = Effect.async<Connection, StorageError>((resume) => {
        cancel = request(resume)
      })
      return Effect.onError(restore(waiting), () => Effect.sync(cancel))
    })

  const release = (connection: Connection) => {
    if (connection.isLost) silentSince = Math.max(silentSince, connection.silentSince)
    clients.get(connection)?.release(!connection.isUsable)
  }

  const use: ConnectionPool["use"] = (effect) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(
        acquire(restore),
        (connection) => Effect.ensuring(restore(effect(connection)), Effect.sync(() => release(connection)))
      )
    )

  return {
    size: settings.poolSize,
    waitMillis: settings.connectMillis,
    request,
    acquire,
    use,
    read: (text, parameters) =>
      Effect.catchTag(
        use((connection) => connection.run(text, parameters)),
        "StorageError",
        ({ cause }) => new SqlFailure({ cause })
      ),
    release,
    discard: (connection) => clients.get(connection)?.release(true)
  }
}
