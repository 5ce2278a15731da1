import { Duration, type Redacted } from "effect"

/** Which PostgreSQL database is used, and how. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`. Its parameter `sslmode` is `disable` (the default), `require`,
   * `verify-ca` or `verify-full`; `sslrootcert` is the file of the authority's certificate, `sslcert` and `sslkey` are those
   * of the client.
   */
  readonly url: Redacted.Redacted
  /** The schema that has the tables, a name without quotes: `community_messaging` unless told otherwise. */
  readonly schema?: string
  /** How many connections units of work and reads have: 10 unless told otherwise. One more is for the order of events. */
  readonly poolSize?: number
  /** Whether the schema is created and migrated (the default). Otherwise it must be current: a role needs no rights on it. */
  readonly migrate?: boolean
  /** How long to wait for a connection: 5 seconds unless told otherwise. */
  readonly connectTimeout?: Duration.DurationInput
  /** How long a statement may take: 30 seconds unless told otherwise. */
  readonly statementTimeout?: Duration.DurationInput
  /** How long a statement may wait for a lock: 5 seconds unless told otherwise. */
  readonly lockTimeout?: Duration.DurationInput
  /** How long a unit of work may ask nothing of the storage before it fails: 5 seconds unless told otherwise. */
  readonly idleTimeout?: Duration.DurationInput
}

/** The schema that has the tables, unless told otherwise. */
export const DEFAULT_SCHEMA = "community_messaging"

/** How many connections units of work and reads have, unless told otherwise. */
export const DEFAULT_POOL_SIZE = 10

/** Names of schemas that need no quotes, as most tools expect. */
export const SCHEMA_NAME = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/

const DEFAULT_TIMEOUT = Duration.seconds(5)
const DEFAULT_STATEMENT_TIMEOUT = Duration.seconds(30)

/** The same with all that was left out. Times are in milliseconds. */
export interface Settings {
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly poolSize: number
  readonly migrate: boolean
  readonly connectMillis: number
  readonly statementMillis: number
  readonly lockMillis: number
  readonly idleMillis: number
}

/** Fills in what was left out. */
export const settingsOf = (options: PostgresOptions): Settings => ({
  url: options.url,
  schema: options.schema ?? DEFAULT_SCHEMA,
  poolSize: options.poolSize ?? DEFAULT_POOL_SIZE,
  migrate: options.migrate ?? true,
  connectMillis: Duration.toMillis(options.connectTimeout ?? DEFAULT_TIMEOUT),
  statementMillis: Duration.toMillis(options.statementTimeout ?? DEFAULT_STATEMENT_TIMEOUT),
  lockMillis: Duration.toMillis(options.lockTimeout ?? DEFAULT_TIMEOUT),
  idleMillis: Duration.toMillis(options.idleTimeout ?? DEFAULT_TIMEOUT)
})
