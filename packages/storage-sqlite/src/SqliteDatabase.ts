import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { Signal } from "@community-messaging/domain/shared-kernel/Signal"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Database, type Dialect } from "@community-messaging/storage-sql/Database"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import * as Statements from "@community-messaging/storage-sql/Statements"
import * as Units from "@community-messaging/storage-sql/Units"
import {
  Context,
  Duration,
  Effect,
  Equal,
  ExecutionStrategy,
  Exit,
  Layer,
  Option,
  RcRef,
  Schedule,
  Scope
} from "effect"
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Connection, Connector } from "./Connection.ts"
import * as ConnectionSettings from "./ConnectionSettings.ts"
import * as GroupCommit from "./GroupCommit.ts"
import {
  checkVersion,
  checkWritable,
  migrate,
  SCHEMA_VERSION,
  SchemaNotMigrated,
  type UnknownSchemaVersion
} from "./Migrations.ts"
import { isBusy, isTaken } from "./SqliteFailure.ts"

/** The default time for which a unit of work may run no statement. */
const DEFAULT_IDLE_TIMEOUT = Duration.seconds(5)

/** How often to check whether another process has committed, while there are subscribers. */
const FOREIGN_COMMITS_INTERVAL = Duration.millis(250)

/**
 * The part of the file that readers map, in bytes. Mapped pages are read without a system call, which halves the time of
 * reads that are spread over a large file.
 */
const MAPPED_BYTES = 1024 ** 3

/** The options of a database. */
export interface DatabaseOptions {
  /** The file, which is created if it does not exist. `:memory:` is a temporary file that is removed with the layer. */
  readonly filename: string
  /**
   * Whether a missing file is created and an older schema is migrated: true by default. Otherwise, both are errors, and the
   * file of an earlier version is not rewritten for incremental vacuum.
   */
  readonly migrate?: boolean
  /** How long to wait for the lock of another process: 5 seconds by default, 30 for a migration. */
  readonly lockTimeout?: Duration.DurationInput
  /** How long a unit of work may run no statement before it fails: 5 seconds by default. */
  readonly idleTimeout?: Duration.DurationInput
}

/** The file of the database, for features that `Database` does not have. */
export class SqliteFile extends Context.Tag("@community-messaging/storage-sqlite/SqliteFile")<SqliteFile, {
  /** Reads committed data, even inside a unit of work. */
  readonly committed: Connection
  /** Opens a connection with a snapshot until the scope closes. It blocks no other connection. */
  readonly openSnapshot: Effect.Effect<Connection, StorageError, Scope.Scope>
  /**
   * Moves all pages from SQLite's write-ahead log, which has earlier versions of changed ones, to the database file, and
   * empties the log. Returns false if another connection uses the log.
   */
  readonly truncateLog: Effect.Effect<boolean, StorageError>
  /** Returns whether the paths still lead to the files that were opened, with SQLite's log. Otherwise, writes are lost. */
  readonly isInPlace: Effect.Effect<boolean>
}>() {}

/** The dialect of SQLite. */
const dialect: Dialect = {
  isTaken,
  // SQLite has one writer, so no rows are locked.
  skipLocked: Statements.fragment``,
  keepExisting: (column) => new Statements.Fragment(`ON CONFLICT (${column}) DO NOTHING`),
  newEvents: Statements.fragment`events`,
  lastEventNumber: Statements.fragment`SELECT seq AS value FROM sqlite_sequence WHERE name = 'events'`,
  byBytes: Statements.fragment``
}

/** How long a migration waits for another process that writes, such as one that migrates. */
const MIGRATION_LOCK_TIMEOUT = Duration.seconds(30)

const temporaryFilename = Effect.map(
  Effect.acquireRelease(
    Effect.try({
      try: () => mkdtempSync(join(tmpdir(), "community-messaging-")),
      catch: (cause) => new StorageError({ operation: "open the database", cause })
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "storage.db")
)

const open = (options: DatabaseOptions) =>
  Effect.gen(function*() {
    const connector = yield* Connector
    const filename = options.filename === ":memory:" ? yield* temporaryFilename : options.filename
    const lockTimeout = Duration.decode(options.lockTimeout ?? ConnectionSettings.DEFAULT_LOCK_TIMEOUT)
    const idleTimeout = Duration.decode(options.idleTimeout ?? DEFAULT_IDLE_TIMEOUT)

    const { migrate: mayMigrate = true } = options
    const startTimeout = mayMigrate ? Duration.decode(options.lockTimeout ?? MIGRATION_LOCK_TIMEOUT) : lockTimeout
    if (!mayMigrate && !existsSync(filename)) {
      return yield* new SchemaNotMigrated({ schema: filename, found: 0, known: SCHEMA_VERSION })
    }
    // SQLite would wait synchronously, and the holder of the lock may be in this process.
    const writing = yield* connector.open({ filename, readonly: false, busyTimeout: Duration.zero })
    yield* checkVersion(writing, { filename, lockTimeout: startTimeout, mayMigrate })
    yield* ConnectionSettings.applyTo(writing, { lockTimeout: startTimeout, mayRewrite: mayMigrate })
    if (mayMigrate) yield* migrate(filename, startTimeout)
    yield* checkWritable(writing)
    const isInPlace = watchFiles(filename)
    const openReader = Effect.tap(
      connector.open({ filename, readonly: true, busyTimeout: lockTimeout }),
      (reader) => attempt("map the database")(reader.run(`PRAGMA mmap_size = ${MAPPED_BYTES}`, []))
    )
    const openSnapshot = yield* snapshots(openReader)

    const appended = yield* Signal.make
    const wake = () => appended.send()
    const foreignCommits = yield* RcRef.make({ acquire: watchForeignCommits(writing, wake) })
    const transact = GroupCommit.make({ connection: writing, lockTimeout, idleTimeout, wake })

    const reader = yield* openReader
    const units = Units.make({
      read: (text, parameters) => reader.run(text, parameters),
      transact,
      snapshot: (body) =>
        Effect.scoped(
          Effect.flatMap(openSnapshot, ({ run }) => body(new Units.Unit({ run, send: run, fail: () => {} })))
        ),
      // Units that write run one after another.
      lock: () => Effect.void,
      wake
    })
    return Context.make(Database, {
      ...units,
      dialect,
      // A statement that fails rolls back only itself.
      recoverable: (statements) => statements,
      settled: Effect.void,
      // A subscriber that is interrupted between two steps of `get` would keep its lock or its count for ever.
      notifications: Effect.zipLeft(appended.subscribe, Effect.uninterruptible(RcRef.get(foreignCommits)))
    }).pipe(
      Context.add(SqliteFile, {
        committed: reader,
        openSnapshot,
        truncateLog: yield* makeTruncateLog(connector, filename),
        isInPlace
      })
    )
  })

/** The device and inode of a file, by which SQLite itself identifies it; none if there is no such file. */
const identityOf = (file: string): Option.Option<string> =>
  Option.map(
    Option.liftThrowable(() => statSync(file, { bigint: true }))(),
    ({ dev, ino }) => `${dev}:${ino}`
  )

/** The files of an open database. Those of the log are beside the file that a link points to. */
const filesOf = (filename: string): ReadonlyArray<string> => {
  const real = Option.getOrElse(Option.liftThrowable(() => realpathSync(filename))(), () => filename)
  return [filename, `${real}-wal`, `${real}-shm`]
}

/** Remembers the present files. The effect returns whether they are still in place. */
const watchFiles = (filename: string): Effect.Effect<boolean> => {
  const opened = filesOf(filename)
    .map((file) => ({ file, identity: identityOf(file) }))
    .filter(({ identity }) => Option.isSome(identity))
  return Effect.sync(() => opened.every(({ file, identity }) => Equal.equals(identityOf(file), identity)))
}

/**
 * Opens connections that see one state until the scope closes. One of them stays open for the next snapshot, because to open
 * it and to map the file again takes as long as several reads.
 */
const snapshots = (openReader: Effect.Effect<Connection, StorageError, Scope.Scope>) =>
  Effect.map(Effect.scope, (scope) => {
    let idle: { readonly connection: Connection; readonly scope: Scope.CloseableScope } | undefined
    const openAnother = Effect.gen(function*() {
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      const connection = yield* Effect.onError(
        Scope.extend(openReader, own),
        (cause) => Scope.close(own, Exit.failCause(cause))
      )
      return { connection, scope: own }
    })
    const take = Effect.suspend(() => {
      const kept = idle
      idle = undefined
      return kept === undefined ? openAnother : Effect.succeed(kept)
    })
    const opened = Effect.acquireRelease(take, (used) => {
      const isReusable = Exit.isSuccess(used.connection.run("ROLLBACK", [])) && idle === undefined
      if (isReusable) idle = used
      return isReusable ? Effect.void : Scope.close(used.scope, Exit.void)
    })
    return Effect.map(opened, ({ connection }) => connection).pipe(
      Effect.tap(({ run }) => attempt("begin a read")(run("BEGIN", [])))
    )
  })

/** When a checkpoint is tried again while another connection uses the log. Transactions of the writer are short. */
const CHECKPOINTS = Schedule.zipLeft(Schedule.identity<boolean>(), Schedule.recurs(20)).pipe(
  Schedule.addDelay(() => "10 millis")
)

/** The writer may be in a transaction, so the checkpoint has a separate connection, which does not wait. */
const makeTruncateLog = (connector: typeof Connector.Service, filename: string) =>
  Effect.map(connector.open({ filename, readonly: false, busyTimeout: Duration.zero }), (connection) => {
    const checkpoint = ConnectionSettings.valueOf(connection, "wal_checkpoint(TRUNCATE)").pipe(
      Effect.map((busy) => busy === 0),
      Effect.catchIf(isBusy, () => Effect.succeed(false))
    )
    return Effect.repeat(checkpoint, { until: (isDone) => isDone, schedule: CHECKPOINTS }).pipe(
      Effect.withClock(realTime),
      attempt("empty the write-ahead log")
    )
  })

/** The database in a file. */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<
  Database | SqliteFile,
  StorageError | SchemaNotMigrated | UnknownSchemaVersion
> => Layer.scopedContext(open(options))

/**
 * Notifies the subscribers of events when another connection commits, until the scope closes. Runs in real time, even under
 * a test clock.
 */
const watchForeignCommits = (connection: Connection, wake: () => void) => {
  // A number that changes only with commits of other connections.
  const version = Effect.option(ConnectionSettings.valueOf(connection, "data_version"))
  // The first number is read before the fork: a subscriber that reads the events next has all commits before it.
  return Effect.flatMap(version, (first) =>
    Effect.forkScoped(
      Effect.interruptible(Effect.iterate(first, {
        while: () => true,
        body: (before) =>
          Effect.tap(
            Effect.delay(version, FOREIGN_COMMITS_INTERVAL),
            (now) => Equal.equals(now, before) ? Effect.void : Effect.sync(wake)
          )
      }))
    )).pipe(Effect.withClock(realTime))
}
