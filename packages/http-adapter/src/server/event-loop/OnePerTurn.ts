/** Does work in turns of the event loop: one piece in each, in the order of their arrival. */
export class OnePerTurn {
  readonly #nextTurn: (work: () => void) => void
  readonly #waiting: Array<() => void> = []

  /** `nextTurn` runs work in the next turn of the event loop. */
  constructor(nextTurn: (work: () => void) => void = setImmediate) {
    this.#nextTurn = nextTurn
  }

  add(work: () => void): void {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) this.#nextTurn(() => this.#doNext())
  }

  #doNext(): void {
    const work = this.#waiting.shift()
    if (this.#waiting.length > 0) this.#nextTurn(() => this.#doNext())
    work?.()
  }
}
