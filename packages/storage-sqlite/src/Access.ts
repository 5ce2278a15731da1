import { SqlClient, type SqlConnection, type SqlError } from "@effect/sql"
import { Effect, Exit, Option, Scope } from "effect"
import { GuardedConnection, perform, type Request } from "./GuardedConnection.ts"
import { Mutex, type Restore } from "./Mutex.ts"

/** A connection that nobody else has until it is released. */
export interface Held {
  readonly raw: SqlConnection.Connection
  readonly release: () => void
}

/** How those outside of a transaction come by the one connection of a database. */
export interface Access {
  /** Runs a single statement while nobody holds the connection. */
  readonly statement: (request: Request) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>
  /** Takes the connection, inside an uninterruptible region; only the waiting can be interrupted. */
  readonly hold: (restore: Restore) => Effect.Effect<Held, SqlError.SqlError>
  /** The connection for as long as the scope is open. */
  readonly acquirer: SqlConnection.Connection.Acquirer
}

/** Access to a connection that is nobody else's: where nobody holds it, a statement runs at once. */
export const own = (raw: SqlConnection.Connection): Access => {
  const mutex = new Mutex()
  const held: Held = { raw, release: () => mutex.release() }
  const hold = (restore: Restore) => Effect.as(mutex.acquire(restore), held)
  return {
    statement: (request) =>
      mutex.isHeld ? mutex.exclusively(Effect.suspend(() => perform(raw, request))) : perform(raw, request),
    hold,
    acquirer: Effect.uninterruptibleMask((restore) =>
      Effect.tap(hold(restore), ({ release }) => Effect.addFinalizer(() => Effect.sync(release)))
    ).pipe(Effect.as(raw))
  }
}

const foreignTransaction = Effect.dieMessage(
  "A port is used inside a transaction of the SQL client's own: use UnitOfWork.atomically for it instead."
)

/** Access to the connection of a client that others use too, when the client gives it. */
export const shared = (reserve: SqlConnection.Connection.Acquirer): Access => {
  const acquirer = Effect.flatMap(
    Effect.serviceOption(SqlClient.TransactionConnection),
    Option.match({
      onNone: () => reserve,
      onSome: ([connection]) => connection instanceof GuardedConnection ? reserve : foreignTransaction
    })
  )
  return {
    statement: (request) => Effect.scoped(Effect.flatMap(acquirer, (raw) => perform(raw, request))),
    hold: (restore) =>
      Effect.flatMap(Scope.make(), (scope) => {
        const close = Scope.close(scope, Exit.void)
        return restore(Scope.extend(acquirer, scope)).pipe(
          // The client's lock is given back at once, and the next one has its turn later.
          Effect.map((raw) => ({ raw, release: () => Effect.runSync(close) })),
          Effect.onError(() => close)
        )
      }),
    acquirer
  }
}
