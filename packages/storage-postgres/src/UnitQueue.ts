import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type Clock, Effect, Exit } from "effect"
import type { Connection } from "./Connection.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import { ageOf, begin, type Group, join } from "./Group.ts"
import * as PostgresFailure from "./PostgresFailure.ts"

/**
 * The share of the connections that groups use. If all of them are in use, a unit waits until it can join a group, and
 * shares its commit: one large group costs less than two small ones. The other connections are for reads, and for units that
 * run alone.
 */
const SHARE_OF_CONNECTIONS = 0.5

/**
 * The share of the connections that groups leave to reads, at least one if there are several, even if slow groups wait for
 * locks: otherwise, as many units as there are connections would keep all callers waiting for a lock that an import holds.
 */
const SHARE_FOR_READS = 0.2

/** The minimum number of concurrent groups, if there are as many connections: one runs while another waits for the disk. */
const MIN_GROUPS = 2

/**
 * The milliseconds after which a running group is not counted any more, so that another one can begin beside it: it accepts
 * no more units, and may wait for a lock.
 */
const SLOW_MILLIS = 50

/** A unit of work in the queue. */
interface Waiter {
  readonly clock: Clock.Clock
  readonly answer: (outcome: Exit.Exit<Group, StorageError>) => void
}

/** The queue of units of work that wait for a group, first in, first out. */
export class UnitQueue {
  readonly #pool: ConnectionPool
  readonly #maxGroups: number
  readonly #maxRunning: number
  readonly #waiters: Array<Waiter> = []
  /** The groups that count towards the maximum, each with the timer that checks whether it is slow. */
  readonly #counted = new Map<Group, NodeJS.Timeout>()
  /** All groups that have a connection. */
  readonly #running = new Set<Group>()
  /** The number of connections that are requested from the pool for queued units. */
  #requested = 0
  #isRequesting = false

  constructor(pool: ConnectionPool) {
    this.#pool = pool
    this.#maxGroups = Math.min(pool.size, Math.max(MIN_GROUPS, Math.floor(pool.size * SHARE_OF_CONNECTIONS)))
    this.#maxRunning = Math.max(1, pool.size - Math.max(1, Math.floor(pool.size * SHARE_FOR_READS)))
  }

  /**
   * Waits until the unit can join a group, or begin one on a free connection. Only the waiting can be interrupted. If the
   * unit is interrupted when it is already in a group, runs `leave` with the group.
   */
  enqueue(restore: Restore, leave: (group: Group) => Effect.Effect<void>): Effect.Effect<Group, StorageError> {
    return Effect.clockWith((clock) => {
      let joined: Group | undefined
      const waiting = Effect.async<Group, StorageError>((resume) => {
        const answer: Waiter["answer"] = (outcome) => {
          clearTimeout(timer)
          if (Exit.isSuccess(outcome)) joined = outcome.value
          resume(outcome)
        }
        const waiter = { clock, answer }
        const stop = () => {
          clearTimeout(timer)
          const place = this.#waiters.indexOf(waiter)
          if (place >= 0) this.#waiters.splice(place, 1)
        }
        const timer = setTimeout(() => {
          stop()
          resume(new StorageError({ operation: "connect to the database", cause: EXHAUSTED }))
        }, this.#pool.waitMillis)
        this.#waiters.push(waiter)
        this.#requestConnections()
        return Effect.sync(stop)
      })
      return Effect.tapErrorCause(restore(waiting), () => joined === undefined ? Effect.void : leave(joined))
    })
  }

  /** Lets the first unit of the queue join the group. Returns false if the queue is empty. */
  dequeueInto(group: Group): boolean {
    const next = this.#waiters.shift()
    if (next === undefined) return false
    join(group)
    next.answer(Exit.succeed(group))
    return true
  }

  /** The group accepts no more units: another one may begin. */
  close(group: Group): void {
    group.isOpen = false
    this.#stopCounting(group)
  }

  /** The group has ended, and has released its connection. */
  end(group: Group): void {
    this.#running.delete(group)
    this.close(group)
    this.#requestConnections()
  }

  /** Requests connections, on which units of the queue begin groups. */
  #requestConnections(): void {
    // The pool may call back synchronously.
    if (this.#isRequesting) return
    this.#isRequesting = true
    while (
      this.#requested < this.#waiters.length && this.#counted.size + this.#requested < this.#maxGroups &&
      this.#running.size + this.#requested < this.#maxRunning
    ) {
      this.#requested += 1
      this.#pool.request((connection) => this.#beginGroup(connection))
    }
    this.#isRequesting = false
  }

  #beginGroup(connection: Exit.Exit<Connection, StorageError>): void {
    this.#requested -= 1
    if (Exit.isSuccess(connection)) {
      const first = this.#waiters.shift()
      // The units for which it was requested have joined other groups.
      if (first === undefined) return this.#pool.release(connection.value)
      const group = begin(connection.value, first.clock, "shared")
      this.#running.add(group)
      this.#countUntilSlow(group)
      return first.answer(Exit.succeed(group))
    }
    // The units can still join running groups.
    if (this.#counted.size > 0) return
    this.#waiters.shift()?.answer(Exit.failCause(connection.cause))
    this.#requestConnections()
  }

  #countUntilSlow(group: Group): void {
    const timer = setTimeout(
      () => ageOf(group) < SLOW_MILLIS ? this.#countUntilSlow(group) : this.#stopCounting(group),
      SLOW_MILLIS
    )
    this.#counted.set(group, timer)
  }

  #stopCounting(group: Group): void {
    clearTimeout(this.#counted.get(group))
    if (this.#counted.delete(group)) this.#requestConnections()
  }
}

/** Like the pool's own error. */
const EXHAUSTED = PostgresFailure.of(new Error("timeout exceeded when trying to connect"))
