import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Exit, Predicate } from "effect"
import type { Client, QueryArrayResult, QueryResult } from "pg"
import type { Backend, EndBackend } from "./AbandonedBackends.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import { prepared } from "./PreparedStatements.ts"
import { escape } from "./StoredText.ts"

/** How long an interruption waits for the running statement, in milliseconds. After that, the connection is closed. */
const GRACE_MILLIS = 250

/** The maximum number of statements in progress. Their texts and parameters are in memory until PostgreSQL responds. */
const MAX_UNDER_WAY = 64

/** The driver's callback for the result or an error. */
type Done<Result> = (error: Error | null | undefined, result: Result) => void

const IDENTITY = `
  SELECT pid, extract(epoch FROM backend_start)::text AS started_at, pg_is_in_recovery() AS is_standby
  FROM pg_stat_get_activity(pg_backend_pid())`

interface Identity {
  readonly pid: number
  readonly started_at: string
  readonly is_standby: boolean
}

const STANDBY = new PostgresFailure.PostgresFailure("The server is a standby", { code: "25006" })

/** A connection to PostgreSQL. Statements of the same turn of the event loop are sent together and run in sequence. */
export class Connection {
  readonly #client: Client
  /** The statement that begins a transaction. It is sent together with the first other statement. */
  #beginning: string | undefined
  #isBegun = false
  /** The failure of a statement of this transaction that was sent by `send`. */
  #failureSent: SqlFailure | undefined
  /** Whether statements are buffered until the end of the event loop's turn, and then sent in one write. */
  #isCorked = false
  #isLost = false
  /** The error that ended the connection. For later statements, the driver only reports that it has ended. */
  #endedBy: PostgresFailure.PostgresFailure | undefined
  /** The number of running statements. */
  #running = 0
  #lastActive = performance.now()
  #backend: Backend | undefined
  readonly #endBackend: EndBackend

  /** `endBackend` ends the process of a connection that is closed without waiting for the result of a statement. */
  constructor(client: Client, configuration: string, endBackend: EndBackend) {
    this.#client = client
    this.#endBackend = endBackend
    // Also called when an idle connection is lost. Without a listener, the error would end the process.
    client.on("error", (error) => {
      this.#isLost = true
      this.#endedBy ??= PostgresFailure.of(error)
    })
    client.query(configuration, (error) => {
      if (Predicate.isNotNullable(error)) this.close()
    })
  }

  /**
   * Asks which process serves the connection, before its first use. Calls back with a failure if it is one of a standby: its
   * data may be older than what other servers have already read. Fails after the time.
   */
  identify(timeoutMillis: number, done: (failure: PostgresFailure.PostgresFailure | undefined) => void): void {
    const config = { text: IDENTITY, query_timeout: timeoutMillis }
    this.#client.query<Identity>(config, (error, result) => {
      if (Predicate.isNotNullable(error)) return done(PostgresFailure.of(error))
      const [identity] = result.rows
      if (identity === undefined || identity.is_standby) return done(STANDBY)
      this.#backend = { pid: identity.pid, startedAt: identity.started_at }
      done(undefined)
    })
  }

  /** Whether the connection can be used again. */
  get isUsable(): boolean {
    return !this.#isLost && this.#running === 0 && !this.#isBegun
  }

  /** Whether the connection has ended, and with it the transaction. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether a statement has begun a transaction. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** When a statement last ran, in milliseconds of `performance.now`. */
  get lastActive(): number {
    return this.#running > 0 ? performance.now() : this.#lastActive
  }

  /** When the last response came, or when the first statement after it was sent, in milliseconds of `performance.now`. */
  get silentSince(): number {
    return this.#lastActive
  }

  /** Runs a statement, which is sent at once. Its rows are objects. */
  readonly run: Run = (text, parameters) => {
    const config = queryOf(text, parameters)
    return Effect.map(
      this.#sent<QueryResult<Record<string, unknown>>>((done) => this.#client.query(config, this.#notingSuccess(done))),
      ({ rows }) => rows
    )
  }

  /** Runs a query. Its rows are arrays of values, in the order of the columns. */
  values(
    text: string,
    parameters: ReadonlyArray<Parameter>
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlFailure> {
    const config = { ...queryOf(text, parameters), rowMode: "array" as const }
    return Effect.map(
      this.#query<QueryArrayResult<Array<unknown>>>((done) => this.#client.query(config, this.#notingSuccess(done))),
      ({ rows }) => rows
    )
  }

  /**
   * Runs a command without parameters, and does not prepare it. Returns PostgreSQL's command tag. `timeoutMillis` replaces
   * the timeout of statements.
   */
  command(text: string, timeoutMillis?: number): Effect.Effect<string, SqlFailure> {
    const config = { text, query_timeout: timeoutMillis }
    return Effect.map(
      this.#query<QueryResult>((done) => this.#client.query(config, done)),
      ({ command }) => command
    )
  }

  /** Whether a statement can be sent without waiting for earlier ones. */
  get canSend(): boolean {
    return this.#running < MAX_UNDER_WAY
  }

  /** Sends a statement, and does not wait for its result. If it fails, the next one fails with its error. */
  send(text: string, parameters: ReadonlyArray<Parameter>): void {
    this.#prepareToSend()
    this.#client.query(queryOf(text, parameters), (error) => {
      this.#noteEnd()
      if (Predicate.isNotNullable(error)) this.#failureSent ??= this.#noteFailure(error, text)
    })
  }

  /** The failure of a statement of this transaction that was sent by `send`, if no later one has succeeded. */
  get failureSent(): SqlFailure | undefined {
    return this.#failureSent
  }

  /** Begins a transaction with the next statement, in the same round trip. */
  begin(text: string): void {
    this.#lastActive = performance.now()
    this.#failureSent = undefined
    this.#beginning = text
  }

  /** Ends the transaction, if a statement has begun it. Returns PostgreSQL's command tag. */
  end(text: "COMMIT" | "ROLLBACK"): Effect.Effect<string, SqlFailure> {
    return Effect.suspend(() => {
      this.#beginning = undefined
      if (!this.#isBegun) return Effect.succeed(text)
      return Effect.map(this.command(text), (command) => {
        this.#isBegun = false
        return command
      })
    })
  }

  /** Closes the connection at once, also while a statement runs. PostgreSQL rolls back its transaction. */
  close(): void {
    this.#isLost = true
    if (this.#running > 0) this.#abandon()
    void this.#client.end()
    // A client that sends statements without waiting ends only after their responses, which may never come.
    this.#client.connection.stream.destroy()
  }

  #query<Result>(send: (done: Done<Result>) => void): Effect.Effect<Result, SqlFailure> {
    return Effect.suspend(() => this.#sent(send))
  }

  /** Sends a query. Returns the effect that waits for its result. */
  #sent<Result>(send: (done: Done<Result>) => void): Effect.Effect<Result, SqlFailure> {
    let answer: Exit.Exit<Result, SqlFailure> | undefined
    let whenDone = (_answer: Exit.Exit<Result, SqlFailure>) => {}
    this.#prepareToSend()
    send((error, result) => {
      this.#noteEnd()
      answer = Predicate.isNotNullable(error) ? Exit.fail(this.#failureOf(error)) : Exit.succeed(result)
      whenDone(answer)
    })
    return Effect.async((resume) => {
      if (answer !== undefined) return resume(answer)
      whenDone = resume
      return Effect.async<void>((resumeInterruption) => {
        // The driver then reports that the statement has failed.
        const timer = setTimeout(() => this.close(), GRACE_MILLIS)
        whenDone = () => {
          clearTimeout(timer)
          resumeInterruption(Effect.void)
        }
        if (answer !== undefined) whenDone(answer)
      })
    })
  }

  /** Statements of the same turn of the event loop are sent in one write. A transaction begins with its first statement. */
  #prepareToSend(): void {
    if (this.#running === 0) this.#lastActive = performance.now()
    this.#running += 1
    if (!this.#isCorked) {
      const { stream } = this.#client.connection
      this.#isCorked = true
      stream.cork()
      process.nextTick(() => {
        this.#isCorked = false
        stream.uncork()
      })
    }
    if (this.#beginning === undefined) return
    this.#isBegun = true
    this.#client.query(this.#beginning, (error) => {
      if (Predicate.isNotNullable(error)) this.#noteFailure(error)
    })
    this.#beginning = undefined
  }

  /**
   * A transaction continues after a failure only if it was rolled back to a savepoint. This is recorded when the response
   * comes: the next response may report a failure before the fiber that waits for this one continues.
   */
  #notingSuccess<Result>(done: Done<Result>): Done<Result> {
    return (error, result) => {
      if (Predicate.isNullable(error)) this.#failureSent = undefined
      done(error, result)
    }
  }

  #noteEnd(): void {
    this.#running -= 1
    this.#lastActive = performance.now()
  }

  /** Returns the failure of a statement. An earlier statement, sent by `send`, may have caused it. */
  #failureOf(error: Error): SqlFailure {
    const failure = this.#noteFailure(error)
    const sent = this.#failureSent
    this.#failureSent = undefined
    return sent ?? failure
  }

  #noteFailure(error: Error, text?: string): SqlFailure {
    const failure = new SqlFailure({ cause: this.#endedBy ?? PostgresFailure.of(error, text) })
    if (PostgresFailure.isConnectionLost(failure)) this.#isLost = true
    if (PostgresFailure.isTimeout(failure)) this.#abandon()
    return failure
  }

  /** The process may still run a statement. */
  #abandon(): void {
    if (this.#backend !== undefined) this.#endBackend(this.#backend)
    this.#backend = undefined
  }
}

const queryOf = (text: string, parameters: ReadonlyArray<Parameter>) => ({
  ...prepared(text),
  values: parameters.map((parameter) => Predicate.isString(parameter) ? escape(parameter) : parameter)
})
