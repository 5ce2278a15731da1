/**
 * How much of a turn of the event loop may pass before further tasks wait for the next one, in milliseconds. Tasks of one
 * turn may share a commit of the database, so a shorter time makes writes more expensive.
 */
export const TURN_MILLIS = 10

/**
 * How long tasks that waited may begin in one turn of the event loop, in milliseconds. What arrives in the meantime is read
 * only after it.
 */
export const BACKLOG_MILLIS = 4

/**
 * Shares the event loop among tasks that arrive at once, such as requests: Node reports up to a thousand of these in one
 * turn. Tasks for which a turn has no time wait. Each following turn begins one task of every owner, and then more until its
 * time is over. So an owner of many tasks delays its own, and hardly those of others.
 */
export class FairTurns {
  /** By owner, in the order of their arrival. */
  readonly #waiting = new Map<string, Array<() => void>>()
  /** The time until which tasks begin in this turn; undefined if none has begun. */
  #endsAt: number | undefined

  /** Begins a task of the owner, such as an address, now or in a later turn. */
  begin(owner: string, task: () => void): void {
    const waiting = this.#waiting.get(owner)
    if (waiting !== undefined) waiting.push(task)
    else if (this.#hasTime()) task()
    else this.#waiting.set(owner, [task])
  }

  #hasTime(): boolean {
    if (this.#endsAt !== undefined) return performance.now() < this.#endsAt
    this.#startTurn(TURN_MILLIS)
    return true
  }

  #startTurn(millis: number): void {
    this.#endsAt = performance.now() + millis
    setImmediate(() => this.#endTurn())
  }

  #endTurn(): void {
    this.#endsAt = undefined
    if (this.#waiting.size === 0) return
    this.#startTurn(BACKLOG_MILLIS)
    this.#beginWaiting()
  }

  /**
   * What tasks defer, such as a reply, runs before the next ones begin, and does not wait for the end of the turn: ticks come
   * before microtasks, and microtasks before the ticks that they add.
   */
  #beginWaiting(): void {
    this.#beginOneOfEach()
    if (this.#waiting.size > 0 && this.#hasTime()) process.nextTick(queueMicrotask, () => this.#beginWaiting())
  }

  #beginOneOfEach(): void {
    for (const [owner, tasks] of this.#waiting) {
      const task = tasks.shift()
      if (tasks.length === 0) this.#waiting.delete(owner)
      task?.()
    }
  }
}
