import { Duration, type Redacted } from "effect"

/** The options of a PostgreSQL database. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`. Its parameter `sslmode` is `disable` (the default), `require`,
   * `verify-ca` or `verify-full`; `sslrootcert` is the file of the authority's certificate, `sslcert` and `sslkey` are the
   * client's certificate and key.
   */
  readonly url: Redacted.Redacted
  /** The schema that has the tables, a name without quotes: `community_messaging` by default. */
  readonly schema?: string
  /** The number of connections for units of work and reads: 10 by default. One more is for the order of events. */
  readonly poolSize?: number
  /**
   * Whether the schema is created and migrated (the default). If not, it must be current, and no right to change it is
   * needed.
   */
  readonly migrate?: boolean
  /** How long to wait for a connection: 5 seconds by default. */
  readonly connectTimeout?: Duration.DurationInput
  /** How long a statement may take: 30 seconds by default. */
  readonly statementTimeout?: Duration.DurationInput
  /** How long a statement may wait for a lock: 5 seconds by default. */
  readonly lockTimeout?: Duration.DurationInput
  /** How long a unit of work may send no statement before it fails: 5 seconds by default. */
  readonly idleTimeout?: Duration.DurationInput
}

/** The schema that has the tables, by default. */
export const DEFAULT_SCHEMA = "community_messaging"

/** The default number of connections for units of work and reads. */
export const DEFAULT_POOL_SIZE = 10

/** Names of schemas that need no quotes, as most tools expect. The other names are PostgreSQL's own. */
export const SCHEMA_NAME = /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/

const DEFAULT_TIMEOUT = Duration.seconds(5)
const DEFAULT_STATEMENT_TIMEOUT = Duration.seconds(30)

/** Adds the defaults of missing options. */
export const settingsOf = (options: PostgresOptions) => ({
  url: options.url,
  schema: options.schema ?? DEFAULT_SCHEMA,
  poolSize: options.poolSize ?? DEFAULT_POOL_SIZE,
  migrate: options.migrate ?? true,
  connectMillis: Duration.toMillis(options.connectTimeout ?? DEFAULT_TIMEOUT),
  statementMillis: Duration.toMillis(options.statementTimeout ?? DEFAULT_STATEMENT_TIMEOUT),
  lockMillis: Duration.toMillis(options.lockTimeout ?? DEFAULT_TIMEOUT),
  idleMillis: Duration.toMillis(options.idleTimeout ?? DEFAULT_TIMEOUT)
})

/** The options with all defaults. Times are in milliseconds. */
export type Settings = ReturnType<typeof settingsOf>
