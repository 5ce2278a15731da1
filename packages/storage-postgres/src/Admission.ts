import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Restore } from "@community-messaging/storage-sql/FifoLock"
import { type Cause, type Clock, Effect, Exit } from "effect"
import type { Connection } from "./Connection.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import { ageOf, begin, type Group, join } from "./Group.ts"
import * as PostgresFailure from "./PostgresFailure.ts"

/**
 * The part of the connections that groups begin on. Units that find it taken join a group, and share its commit: two small
 * groups cost more than a large one. The other connections are for reads, and for units that share with nobody.
 */
const SHARE_OF_CONNECTIONS = 0.5

/** So many groups may run at once if there are as many connections: one goes on while the other one waits for the disk. */
const MIN_GROUPS = 2

/**
 * The milliseconds after which another group may begin beside one that still runs: it takes no more units, and may wait for
 * somebody's lock.
 */
const SLOW_MILLIS = 50

/** A unit of work that waits. */
interface Waiter {
  readonly clock: Clock.Clock
  readonly join: (group: Group) => void
  readonly refuse: (cause: Cause.Cause<StorageError>) => void
}

/** Lets units of work into transactions. */
export interface Admission {
  /**
   * Waits for a group that the unit can join, or for a connection where it begins one. One that is alone waits for a
   * connection. Only the waiting can be interrupted; `leave` ends the run of a unit that was let in meanwhile.
   */
  readonly enter: (
    restore: Restore,
    isAlone: boolean,
    leave: (group: Group) => Effect.Effect<void>
  ) => Effect.Effect<Group, StorageError>
  /** Lets the unit that waits longest join the group. Returns whether there is one. */
  readonly admit: (group: Group) => boolean
  /** The group takes no more units, or has ended: another one may begin. */
  readonly close: (group: Group) => void
}

/** Admits units of work to groups on the connections of the pool. */
export const make = (pool: ConnectionPool): Admission => {
  const maxGroups = Math.min(pool.size, Math.max(MIN_GROUPS, Math.floor(pool.size * SHARE_OF_CONNECTIONS)))
  /** Those beside which no more may begin. Each has a timer that finds out whether it is slow. */
  const groups = new Map<Group, NodeJS.Timeout>()
  /** In the order in which they came. */
  const waiters: Array<Waiter> = []
  /** How many connections are requested for those who wait. */
  let requested = 0
  let isSeeking = false

  /** Requests connections for groups that those who wait can begin. */
  const seek = () => {
    // A request can be answered at once.
    if (isSeeking) return
    isSeeking = true
    while (requested < waiters.length && groups.size + requested < maxGroups) {
      requested += 1
      pool.request(use)
    }
    isSeeking = false
  }

  const forget = (group: Group) => {
    clearTimeout(groups.get(group))
    if (groups.delete(group)) seek()
  }

  const watch = (group: Group) => {
    groups.set(group, setTimeout(() => ageOf(group) < SLOW_MILLIS ? watch(group) : forget(group), SLOW_MILLIS))
  }

  const use = (connection: Exit.Exit<Connection, StorageError>) => {
    requested -= 1
    if (Exit.isSuccess(connection)) {
      const waiter = waiters.shift()
      // Those it was for have joined others.
      if (waiter === undefined) return pool.release(connection.value)
      const group = begin(connection.value, waiter.clock, true)
      watch(group)
      return waiter.join(group)
    }
    // They can still join those.
    if (groups.size > 0) return
    waiters.shift()?.refuse(connection.cause)
    seek()
  }

  const wait = (restore: Restore, leave: (group: Group) => Effect.Effect<void>) =>
    Effect.clockWith((clock) => {
      let joined: Group | undefined
      let stop = () => {}
      const waiting = Effect.async<Group, StorageError>((resume) => {
        const waiter: Waiter = {
          clock,
          join: (group) => {
            clearTimeout(timer)
            joined = group
            resume(Exit.succeed(group))
          },
          refuse: (cause) => {
            clearTimeout(timer)
            resume(Exit.failCause(cause))
          }
        }
        stop = () => {
          clearTimeout(timer)
          const place = waiters.indexOf(waiter)
          if (place >= 0) waiters.splice(place, 1)
        }
        const timer = setTimeout(() => {
          stop()
          resume(
            new StorageError({ operation: "connect to the database", cause: PostgresFailure.of(new Error(EXHAUSTED)) })
          )
        }, pool.waitMillis)
        waiters.push(waiter)
        seek()
      })
      return Effect.matchCauseEffect(restore(waiting), {
        onFailure: (cause) => {
          stop()
          return joined === undefined
            ? Effect.failCause(cause)
            : Effect.zipRight(leave(joined), Effect.failCause(cause))
        },
        onSuccess: (group) => Effect.succeed(group)
      })
    })

  const enterAlone = (restore: Restore) =>
    Effect.clockWith((clock) => Effect.map(pool.acquire(restore), (connection) => begin(connection, clock, false)))

  return {
    enter: (restore, isAlone, leave) => isAlone ? enterAlone(restore) : wait(restore, leave),
    admit: (group) => {
      const next = waiters.shift()
      if (next === undefined) return false
      join(group)
      next.join(group)
      return true
    },
    close: (group) => {
      group.isOpen = false
      forget(group)
    }
  }
}

/** As the pool itself says it. */
const EXHAUSTED = "timeout exceeded when trying to connect"
