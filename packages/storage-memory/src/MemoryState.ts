import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, Effect, Either, FiberRef, Layer, Option, PubSub, type Queue, type Scope } from "effect"
import * as FifoLock from "./FifoLock.ts"
import * as Tables from "./Tables.ts"

/** What was committed, or the draft of a transaction that began from it. */
interface Version {
  tables: Tables.Tables
  /** Whether the transaction is still running; what was committed always is. */
  open: boolean
  /** Held by the transaction that began from this version. */
  readonly lock: FifoLock.FifoLock
  /** The version that this one is a draft of. */
  readonly origin: Version | undefined
  /** Whether those who wait for events are to be woken by the commit. */
  notifies: boolean
}

const makeVersion = (tables: Tables.Tables, origin: Version | undefined): Version => ({
  tables,
  open: true,
  lock: FifoLock.make(),
  origin,
  notifies: false
})

const nearestOpen = (version: Version): Version => {
  let nearest = version
  while (!nearest.open && nearest.origin !== undefined) nearest = nearest.origin
  return nearest
}

/**
 * The stored tables, as the running fiber sees them: what is committed, or inside a transaction its draft. A transaction
 * inside another is to the outer draft what the outer one is to the committed tables, so its failure undoes it alone.
 */
export class MemoryState extends Context.Tag("@community-messaging/storage-memory/MemoryState")<MemoryState, {
  /** What the function reads. */
  readonly read: <A>(select: (tables: Tables.Tables) => A) => Effect.Effect<A>
  /** What the function reads of the committed tables, a transaction's own writes left out. */
  readonly readCommitted: <A>(select: (tables: Tables.Tables) => A) => Effect.Effect<A>
  /** Replaces the tables by those that come of the change, in a transaction of its own where there is none. */
  readonly modify: <A, E>(
    change: (tables: Tables.Tables) => Either.Either<readonly [result: A, tables: Tables.Tables], E>
  ) => Effect.Effect<A, E>
  /** As `modify`, where there is no result. */
  readonly update: <E>(change: (tables: Tables.Tables) => Either.Either<Tables.Tables, E>) => Effect.Effect<void, E>
  /** As `UnitOfWork.atomically`. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** As `UnitOfWork.snapshot`. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Wakes those who wait for events once the running transaction is committed. A rollback forgets it. */
  readonly notify: Effect.Effect<void>
  /** Tells of commits of events. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}>() {
  /** State that begins empty. */
  static readonly layer = Layer.effect(
    MemoryState,
    Effect.map(PubSub.sliding<void>(1), (published) => {
      const committed = makeVersion(Tables.empty, undefined)
      /** Wakes those who wait, if something of what was committed is for them. */
      const wakeListeners = Effect.suspend(() => {
        if (!committed.notifies) return Effect.void
        committed.notifies = false
        return PubSub.publish(published, undefined)
      })
      // A fiber that is joined brings no transaction with it: whoever joins it is in its own.
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
          return origin === committed ? wakeListeners : Effect.void
        })

      /** Runs the effect on a draft of a version whose lock is held. */
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

      /** Runs the effect with the lock of the current version held. */
      const alone = <A, E, R>(use: (version: Version) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        withCurrent((version) =>
          // A transaction that ended while this was waiting takes no more: then its origin is the current version.
          version.lock.alone(Effect.suspend(() => version.open ? Effect.asSome(use(version)) : Effect.succeedNone))
        ).pipe(Effect.flatMap(Option.match({ onSome: Effect.succeed, onNone: () => alone(use) })))

      const modify = <A, E>(
        change: (tables: Tables.Tables) => Either.Either<readonly [result: A, tables: Tables.Tables], E>
      ): Effect.Effect<A, E> => {
        const apply = (version: Version) =>
          Effect.suspend(() =>
            Either.map(change(version.tables), ([result, tables]) => {
              version.tables = tables
              return result
            })
          )
        // The change is made in one go: where nobody is in a transaction there is nothing to wait for.
        return withCurrent((version) => version.lock.isFree() ? apply(version) : alone(apply))
      }

      return {
        read: (select) => withCurrent((version) => Effect.sync(() => select(version.tables))),
        readCommitted: (select) => Effect.sync(() => select(committed.tables)),
        modify,
        update: (change) => modify((tables) => Either.map(change(tables), (changed) => [undefined, changed])),
        atomically: (effect) => alone((version) => transaction(version, effect)),
        // A draft of which nothing is ever committed.
        snapshot: (reads) =>
          withCurrent((version) => Effect.locally(reads, current, makeVersion(version.tables, undefined))),
        notify: withCurrent((version) => {
          version.notifies = true
          return version === committed ? wakeListeners : Effect.void
        }),
        notifications: PubSub.subscribe(published)
      }
    })
  )
}
