import { Effect } from "effect"

/**
 * The possible stored values of each key, according to its writer: the last acknowledged one, and those that were sent since
 * without a response, which may be stored, too.
 */
export class Ledger {
  readonly #possible = new Map<string, ReadonlyArray<string>>()
  #acknowledged = 0
  #unanswered = 0

  /** Records the value before the first write. */
  begin(key: string, value: string): void {
    this.#possible.set(key, [value])
  }

  /** Writes a value, and records whether it was acknowledged. Each key has one writer. */
  readonly write = <E, R>(
    key: string,
    value: string,
    write: Effect.Effect<unknown, E, R>
  ): Effect.Effect<boolean, never, R> =>
    Effect.suspend(() => {
      this.#possible.set(key, [...this.#possible.get(key) ?? [], value])
      return Effect.match(write, {
        onSuccess: () => {
          this.#possible.set(key, [value])
          this.#acknowledged += 1
          return true
        },
        onFailure: () => {
          this.#unanswered += 1
          return false
        }
      })
    })

  get keys(): ReadonlyArray<string> {
    return Array.from(this.#possible.keys())
  }

  get acknowledged(): number {
    return this.#acknowledged
  }

  get unanswered(): number {
    return this.#unanswered
  }

  /** The keys whose stored value is not a possible one. */
  lost(stored: (key: string) => string | undefined): ReadonlyArray<string> {
    return Array.from(this.#possible)
      .filter(([key, possible]) => !possible.some((value) => value === stored(key)))
      .map(([key, possible]) => `${key}: ${stored(key)} instead of ${possible.join(" or ")}`)
  }
}
