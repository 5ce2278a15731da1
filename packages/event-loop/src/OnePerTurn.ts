/** Does work in turns of the event loop: one piece in each, in the order of their arrival. */
export class OnePerTurn {
  readonly #waiting: Array<() => void> = []

  add(work: () => void): void {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) setImmediate(() => this.#doNext())
  }

  #doNext(): void {
    const work = this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(() => this.#doNext())
    work?.()
  }
}
