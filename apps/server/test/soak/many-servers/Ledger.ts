import { Effect } from "effect"

/**
 * What may be stored under each key, as whoever wrote it knows: what was acknowledged last, and what was sent since
 * without an answer, which may have come in, too.
 */
export class Ledger {
  readonly #possible = new Map<string, ReadonlyArray<string>>()
  #acknowledged = 0
  #unanswered = 0

  /** Notes what is there before the first write. */
  begin(key: string, value: string): void {
    this.#possible.set(key, [value])
  }

  /** Writes a value, and notes whether that was acknowledged. There is one writer for a key. */
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

  /** The keys whose value is none of those that are possible. */
  lost(stored: (key: string) => string | undefined): ReadonlyArray<string> {
    return Array.from(this.#possible)
      .filter(([key, possible]) => !possible.some((value) => value === stored(key)))
      .map(([key, possible]) => `${key}: ${stored(key)} instead of ${possible.join(" or ")}`)
  }
}
