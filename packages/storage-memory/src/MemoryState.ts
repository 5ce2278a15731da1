import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import { Signal } from "@community-messaging/domain/shared-kernel/Signal"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, Effect, Either, FiberRef, Layer, Option, type Queue, type Scope } from "effect"
import * as Tables from "./Tables.ts"

/** The committed tables, or the draft of a transaction. */
interface Version {
  tables: Readonly<Tables.Tables>
  /** Whether the transaction is still running. Always true for the committed version. */
  open: boolean
  /** The transaction whose draft is based on this version holds this lock. */
  readonly lock: FifoLock
  /** The version that this draft is based on. */
  readonly origin: Version | undefined
  /** Whether the commit notifies the subscribers of events. */
  notifies: boolean
}

const makeVersion = (tables: Readonly<Tables.Tables>, origin: Version | undefined): Version => ({
  tables,
  open: true,
  lock: new FifoLock(),
  origin,
  notifies: false
})

const nearestOpen = (version: Version): Version => {
  let nearest = version
  while (!nearest.open && nearest.origin !== undefined) nearest = nearest.origin
  return nearest
}

/**
 * The stored tables as the running fiber sees them: the committed tables, or the draft of its transaction. A nested
 * transaction has a draft based on the outer draft, so its failure rolls back its own changes only.
 */
export class MemoryState extends Context.Tag("@community-messaging/storage-memory/MemoryState")<MemoryState, {
  /** Reads from the tables that the fiber sees. */
  readonly read: <A>(select: (tables: Readonly<Tables.Tables>) => A) => Effect.Effect<A>
  /** Reads from the committed tables, without the transaction's own writes. */
  readonly readCommitted: <A>(select: (tables: Readonly<Tables.Tables>) => A) => Effect.Effect<A>
  /** Changes the tables, in a new transaction if none is running. */
  readonly write: <A>(change: (tables: Tables.Tables) => A) => Effect.Effect<A>
  /** Like `write`, but nothing is changed if the result is an error. */
  readonly attempt: <A, E>(change: (tables: Tables.Tables) => Either.Either<A, E>) => Effect.Effect<A, E>
  /** Like `UnitOfWork.atomically`. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Whether a transaction is running. */
  readonly isInTransaction: Effect.Effect<boolean>
  /** Like `UnitOfWork.snapshot`. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Notifies the subscribers of events after the running transaction commits. Does nothing after a rollback. */
  readonly notify: Effect.Effect<void>
  /** Subscribes to commits of events. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}>() {
  /** Makes an empty state. */
  static readonly layer = Layer.scoped(
    MemoryState,
    Effect.map(Signal.make, (appended) => {
      const committed = makeVersion(Tables.empty, undefined)
      /** Notifies the subscribers if the commit has events. */
      const notifySubscribers = Effect.sync(() => {
        if (!committed.notifies) return
        committed.notifies = false
        appended.send()
      })
      // A joined fiber does not pass its transaction to the fiber that joins it.
      const current = FiberRef.unsafeMake(committed, { join: (own) => own })
      const withCurrent = <A, E, R>(use: (version: Version) => Effect.Effect<A, E, R>) =>
        Effect.flatMap(FiberRef.get(current), (version) => use(nearestOpen(version)))

      const commit = (draft: Version, origin: Version): Effect.Effect<void, StorageError> =>
        Effect.suspend(() => {
          if (!origin.open) {
            return Effect.fail(new StorageError({ operation: "commit into a transaction that has ended" }))
          }
          origin.tables = draft.tables
          origin.notifies ||= draft.notifies
          return origin === committed ? notifySubscribers : Effect.void
        })

      /** Runs the effect on a draft of the version. The caller holds the version's lock. */
      const transaction = <A, E, R>(origin: Version, effect: Effect.Effect<A, E, R>) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const draft = makeVersion(origin.tables, origin)
            return restore(Effect.locally(effect, current, draft)).pipe(
              Effect.onExit(() => Effect.sync(() => draft.open = false)),
              Effect.tap(() => commit(draft, origin))
            )
          })
        )

      /** Runs the effect while holding the lock of the current version. */
      const alone = <A, E, R>(use: (version: Version) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        withCurrent((version) =>
          // If the transaction ended while this effect waited, its origin is the current version: try again with that.
          version.lock.inTurn(
            Effect.suspend(() => version.open ? Effect.asSome(use(version)) : Effect.succeedNone)
          )
        ).pipe(Effect.flatMap(Option.match({ onSome: Effect.succeed, onNone: () => alone(use) })))

      const attempt = <A, E>(change: (tables: Tables.Tables) => Either.Either<A, E>): Effect.Effect<A, E> => {
        const apply = (version: Version) => {
          const tables = { ...version.tables }
          const result = change(tables)
          if (Either.isRight(result)) version.tables = tables
          return result
        }
        // Made in the same step as the check of the lock: between two steps, another fiber may begin a transaction.
        return withCurrent((version) => version.lock.isHeld ? alone(apply) : apply(version))
      }

      return {
        read: (select) => withCurrent((version) => Effect.sync(() => select(version.tables))),
        readCommitted: (select) => Effect.sync(() => select(committed.tables)),
        write: (change) => attempt((tables) => Either.right(change(tables))),
        attempt,
        atomically: (effect) => alone((version) => transaction(version, effect)),
        isInTransaction: withCurrent(({ origin }) => Effect.succeed(origin !== undefined)),
        // A draft that is never committed.
        snapshot: (reads) =>
          withCurrent((version) => Effect.locally(reads, current, makeVersion(version.tables, undefined))),
        notify: withCurrent((version) => {
          version.notifies = true
          return version === committed ? notifySubscribers : Effect.void
        }),
        notifications: appended.subscribe
      }
    })
  )
}
