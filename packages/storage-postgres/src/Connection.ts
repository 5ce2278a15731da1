import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Exit, Predicate } from "effect"
import type { Client, QueryArrayResult, QueryResult } from "pg"
import * as PostgresFailure from "./PostgresFailure.ts"
import type { PreparedStatements } from "./PreparedStatements.ts"
import { escape } from "./StoredText.ts"

/** How long an interruption waits for the statement that runs, in milliseconds. Afterwards the connection is ended. */
const GRACE_MILLIS = 250

/** How many statements may be under way at a time. Their texts and parameters are in memory until they are answered. */
const MAX_UNDER_WAY = 64

/** Rows as arrays of values, in the order of the columns. */
export type Values = (
  text: string,
  parameters: ReadonlyArray<Parameter>
) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlFailure>

/** What the driver calls with the result, or with an error. */
type Done<Result> = (error: Error | null | undefined, result: Result) => void

/** Sends a query. */
type Send<Result> = (done: Done<Result>) => void

/** A connection to PostgreSQL. Statements that are given at the same time are sent at once, and run one after another. */
export class Connection {
  readonly #client: Client
  readonly #statements: PreparedStatements
  /** What begins a transaction: it is sent together with the first statement. */
  #beginning: string | undefined
  #isBegun = false
  /** Why a statement of this transaction has failed that nobody waited for. */
  #failureSent: SqlFailure | undefined
  /** Whether what is sent is kept until the end of the event loop's turn, so that it leaves in one write. */
  #isCorked = false
  #isLost = false
  /** How many statements run. */
  #running = 0
  #lastActive = performance.now()

  constructor(client: Client, statements: PreparedStatements, configuration: string) {
    this.#client = client
    this.#statements = statements
    // It is told of a lost connection while no statement runs, too; without a listener that would end the process.
    client.on("error", () => {
      this.#isLost = true
    })
    client.query(configuration, (error) => {
      if (Predicate.isNotNullable(error)) this.close()
    })
  }

  /** Whether it can be used again. */
  get isUsable(): boolean {
    return !this.#isLost && this.#running === 0 && !this.#isBegun
  }

  /** Whether it has ended, and with it the transaction. */
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

  /** Runs a statement; its rows come as objects. */
  readonly run: Run = (text, parameters) => {
    const config = { ...this.#statements.of(text), values: valuesOf(parameters) }
    return Effect.map(
      this.#query<QueryResult<Record<string, unknown>>>((done) =>
        this.#client.query(config, this.#notingSuccess(done))
      ),
      ({ rows }) => rows
    )
  }

  /** Runs a query; its rows come as arrays of values. */
  readonly values: Values = (text, parameters) => {
    const config = { ...this.#statements.of(text), values: valuesOf(parameters), rowMode: "array" as const }
    return Effect.map(
      this.#query<QueryArrayResult<Array<unknown>>>((done) => this.#client.query(config, this.#notingSuccess(done))),
      ({ rows }) => rows
    )
  }

  /**
   * Runs what has no parameters, without preparing it. Gives what PostgreSQL says that it did. It may take so many
   * milliseconds, if not as long as any statement.
   */
  command(text: string, timeoutMillis?: number): Effect.Effect<string, SqlFailure> {
    const config = { text, query_timeout: timeoutMillis }
    return Effect.map(
      this.#query<QueryResult>((done) => this.#client.query(config, done)),
      ({ command }) => command
    )
  }

  /** Whether a statement can be sent without waiting for those before it. */
  get canSend(): boolean {
    return this.#running < MAX_UNDER_WAY
  }

  /** Sends a statement, and does not wait for its result. If it fails, the next one fails for its reason. */
  send(text: string, parameters: ReadonlyArray<Parameter>): void {
    this.#prepareToSend()
    this.#client.query({ ...this.#statements.of(text), values: valuesOf(parameters) }, (error) => {
      this.#noteEnd()
      if (Predicate.isNotNullable(error)) this.#failureSent ??= this.#noteFailure(error)
    })
  }

  /** Why a statement of this transaction has failed that nobody waited for, if none has succeeded since. */
  get failureSent(): SqlFailure | undefined {
    return this.#failureSent
  }

  /** Begins a transaction with the next statement, in the same round trip. */
  begin(text: string): void {
    this.#lastActive = performance.now()
    this.#failureSent = undefined
    this.#beginning = text
  }

  /** Ends the transaction, if a statement has begun it. Gives what PostgreSQL says that it did. */
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

  /** Ends it at once, whatever it does. PostgreSQL rolls back its transaction. */
  close(): void {
    this.#isLost = true
    void this.#client.end()
  }

  #query<Result>(send: Send<Result>): Effect.Effect<Result, SqlFailure> {
    return Effect.async((resume) => {
      let isDone = false
      let whenDone = () => {}
      this.#prepareToSend()
      send((error, result) => {
        isDone = true
        this.#noteEnd()
        resume(Predicate.isNotNullable(error) ? Exit.fail(this.#failureOf(error)) : Exit.succeed(result))
        whenDone()
      })
      return Effect.async<void>((resumeInterruption) => {
        const goOn = () => {
          clearTimeout(timer)
          resumeInterruption(Effect.void)
        }
        const timer = setTimeout(() => {
          this.close()
          goOn()
        }, GRACE_MILLIS)
        whenDone = goOn
        if (isDone) goOn()
      })
    })
  }

  /** What leaves in the same turn of the event loop leaves in one write. A transaction begins with its first statement. */
  #prepareToSend(): void {
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
    this.#client.query({ text: this.#beginning }, this.#noteBeginning)
    this.#beginning = undefined
  }

  /**
   * A transaction goes on after a failure only when it was rolled back to a savepoint. That is noted when the answer comes:
   * the next one may tell of a failure before the fiber that waits for this one goes on.
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

  /** Returns why a statement failed: one that was sent before it may have ended the transaction. */
  #failureOf(error: Error): SqlFailure {
    const failure = this.#noteFailure(error)
    const sent = this.#failureSent
    this.#failureSent = undefined
    return sent ?? failure
  }

  readonly #noteBeginning = (error: Error | null | undefined): void => {
    if (Predicate.isNotNullable(error)) this.#noteFailure(error)
  }

  #noteFailure(error: Error): SqlFailure {
    const failure = new SqlFailure({ cause: PostgresFailure.of(error) })
    if (PostgresFailure.isConnectionLost(failure)) this.#isLost = true
    return failure
  }
}

const valuesOf = (parameters: ReadonlyArray<Parameter>): Array<Parameter> =>
  parameters.map((parameter) => Predicate.isString(parameter) ? escape(parameter) : parameter)
