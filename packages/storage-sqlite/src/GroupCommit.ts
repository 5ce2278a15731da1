import type { StorageError } from "@community-messaging/domain/StorageError"
import { type SqlConnection, SqlError } from "@effect/sql"
import { Cause, type Clock, Effect, Exit, Option } from "effect"
import { isDeepStrictEqual } from "node:util"
import type { Held } from "./Access.ts"
import { type Done, freshTransaction, type Request, step, type TransactionState } from "./GuardedConnection.ts"
import { Mutex, type Restore } from "./Mutex.ts"
import { storageError } from "./SqliteFailure.ts"

/*
 * Group commit: units of work that come in the same turn of the event loop run one after another in one transaction of
 * SQLite, each behind a savepoint of its own, and are answered when that transaction is on the disk. Most of what a commit
 * costs is the waiting for the disk, so that a burst of units costs little more than one.
 */

/** The most units of a group: the first of them waits for its answer until the last one is done. */
const MAX_UNITS = 64

/** After how many milliseconds a group takes no more units: other processes wait for the lock. */
const MAX_MILLIS = 10

const SET_SAVEPOINT: Request = ["SAVEPOINT unit", []]
const KEEP: ReadonlyArray<Request> = [["RELEASE unit", []]]
const UNDO: ReadonlyArray<Request> = [["ROLLBACK TO unit", []], ["RELEASE unit", []]]

/** What a unit learns when its transaction has ended: why it was not kept, or nothing. */
interface Answer {
  readonly failure: Option.Option<StorageError>
  /** To be called when what follows the commit was done. */
  readonly next: () => void
}

/** A unit that is done and waits for the commit. */
interface Member {
  readonly hasFollowers: boolean
  readonly answer: (answer: Answer) => void
}

/** Units of work in one transaction. */
export interface Group {
  readonly held: Held
  readonly state: TransactionState
  readonly clock: Clock.Clock
  /** When it began, in milliseconds of that clock. */
  readonly since: number
  members: Array<Member>
  /** Whether a unit runs that has others before it, and so has a savepoint. */
  behindOthers: boolean
}

/** How transactions begin and end on the connection. */
interface Steps {
  /** Takes the connection and begins, waiting for the lock of other processes. */
  readonly begin: (restore: Restore) => Effect.Effect<Held, StorageError>
  /** Begins, or fails at once. */
  readonly beginNow: (raw: SqlConnection.Connection) => Exit.Exit<unknown, SqlError.SqlError>
  readonly rollback: (raw: SqlConnection.Connection) => void
  /** Ends the transaction; what can not be kept is undone. */
  readonly commit: (raw: SqlConnection.Connection) => Exit.Exit<unknown, SqlError.SqlError>
}

/** Those who are ready in the same turn of the event loop gather meanwhile. */
const nextTurnOfEventLoop = Effect.async<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

const errorOf = (exit: Exit.Exit<unknown, SqlError.SqlError>): Option.Option<SqlError.SqlError> =>
  Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()

/** Takes the steps; where one fails nothing of the transaction can be kept. */
const take = ({ held: { raw }, state }: Group, requests: ReadonlyArray<Request>) => {
  for (const request of requests) {
    const failure = errorOf(step(raw, state, request))
    if (Option.isSome(failure)) state.failure = failure
  }
}

/** Does all that again; fails where something has another answer by now. */
const repeat = (state: TransactionState, done: ReadonlyArray<Done>) => {
  for (const { answer, repeat: again } of done) {
    if (Option.isSome(state.failure)) return
    const outcome = again()
    if (Exit.isFailure(outcome)) state.failure = errorOf(outcome)
    else if (!isDeepStrictEqual(outcome.value, answer)) state.failure = Option.some(lost("was overtaken"))
  }
}

/** Groups of units of work on one connection. */
export const make = ({ begin, beginNow, commit, rollback }: Steps) => {
  /** Who has it runs its unit, or ends the group. */
  const turns = new Mutex()
  let open = Option.none<Group>()
  let isWatched = false

  const hasRoom = ({ clock, members, since, state }: Group) =>
    members.length < MAX_UNITS && Option.isNone(state.failure) && clock.unsafeCurrentTimeMillis() - since < MAX_MILLIS

  /** Ends the transaction of the group; tells why it could not be kept. */
  const end = ({ held: { raw }, state }: Group): Option.Option<StorageError> => {
    if (Option.isNone(state.failure)) {
      return Option.map(errorOf(commit(raw)), (error) => storageError("commit a transaction", error))
    }
    rollback(raw)
    return Option.some(storageError("go on with a transaction", state.failure.value))
  }

  /**
   * Answers the units. What follows the commit of one of them is done before that of the next; whom nothing follows does
   * not wait for that.
   */
  const answer = (members: ReadonlyArray<Member>, failure: Option.Option<StorageError>, done: () => void) => {
    const isFollowed = ({ hasFollowers }: Member) => hasFollowers && Option.isNone(failure)
    for (const member of members) {
      if (!isFollowed(member)) member.answer({ failure, next: () => {} })
    }
    const followed = members.filter(isFollowed)
    const from = (place: number): void => {
      const member = followed[place]
      if (member === undefined) return done()
      member.answer({ failure, next: () => from(place + 1) })
    }
    from(0)
  }

  const close = ({ held }: Group) => {
    open = Option.none()
    held.release()
    turns.release()
  }

  /** Lets the next unit run, in this group or in another one. */
  const passOn = () => {
    if (Option.isNone(open) || (turns.isAwaited && hasRoom(open.value))) return turns.release()
    const group = open.value
    answer(group.members, end(group), () => close(group))
  }

  /**
   * The unit that runs waits for something: those before it must not wait with it. They are committed without it, and
   * what it did is done again in a transaction that begins from there. What it has read is true there, too, or it fails.
   */
  const goOnAlone = (group: Group) => {
    const { held: { raw }, members, state } = group
    const done = state.done ?? []
    state.done = undefined
    group.members = []
    group.behindOthers = false
    take(group, UNDO)
    const failure = end(group)
    answer(members, failure, () => {
      state.failure = Option.orElse(Option.as(failure, lost("could not be kept")), () => errorOf(beginNow(raw)))
      repeat(state, done)
      state.exchange.release()
    })
  }

  /** Units that do not wait for anything are done when the event loop has its next turn. */
  const watch = () => {
    if (isWatched) return
    isWatched = true
    setImmediate(() => {
      isWatched = false
      const waiting = Option.filter(open, ({ behindOthers }) => behindOthers)
      if (Option.isNone(waiting)) return
      if (waiting.value.state.exchange.tryAcquire()) goOnAlone(waiting.value)
      else watch()
    })
  }

  const beginGroup = (restore: Restore): Effect.Effect<Group, StorageError> =>
    Effect.zipRight(restore(nextTurnOfEventLoop), begin(restore)).pipe(
      Effect.onError(() => Effect.sync(() => turns.release())),
      Effect.zipWith(Effect.clock, (held, clock) => {
        const group: Group = {
          held,
          state: freshTransaction(),
          clock,
          since: clock.unsafeCurrentTimeMillis(),
          members: [],
          behindOthers: false
        }
        open = Option.some(group)
        return group
      })
    )

  /** Waits for its turn, and begins a unit in the open group or in a new one. Only the waiting can be interrupted. */
  const enter = (restore: Restore): Effect.Effect<Group, StorageError> =>
    Effect.zipRight(
      turns.acquire(restore, passOn),
      Effect.suspend(() => {
        if (Option.isNone(open)) return beginGroup(restore)
        const group = open.value
        take(group, [SET_SAVEPOINT])
        group.behindOthers = true
        group.state.done = []
        watch()
        return Effect.succeed(group)
      })
    )

  /** Ends a unit: it is undone where it failed, and answered when its group was committed and what follows it was done. */
  const leave = <A, E>(
    group: Group,
    exit: Exit.Exit<A, E>,
    followers: Effect.Effect<void> | undefined
  ): Effect.Effect<A, E | StorageError> => {
    const isAlone = !group.behindOthers
    group.behindOthers = false
    group.state.done = undefined
    if (Exit.isFailure(exit)) {
      if (isAlone) {
        rollback(group.held.raw)
        close(group)
        return exit
      }
      take(group, UNDO)
      // A failure may come of what others in the group have done: it is told when that is true.
      if (Option.isNone(Cause.failureOption(exit.cause))) {
        passOn()
        return exit
      }
    } else if (!isAlone) take(group, KEEP)
    const answered = Effect.async<Answer>((resume) => {
      group.members.push({
        hasFollowers: followers !== undefined,
        answer: (own) => resume(Effect.succeed(own))
      })
      passOn()
    })
    return Effect.flatMap(answered, ({ failure, next }): Effect.Effect<A, E | StorageError> => {
      if (Option.isSome(failure)) return Effect.fail(failure.value)
      return followers === undefined ? exit : Effect.zipRight(Effect.ensuring(followers, Effect.sync(next)), exit)
    })
  }

  return { enter, leave }
}

const lost = (what: string) =>
  new SqlError.SqlError({ cause: new Error(`The transaction ${what}.`), message: "Failed to go on with a transaction" })
