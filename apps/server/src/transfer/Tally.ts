import type { Outcome } from "./RecordKind.ts"

/** The number of lines of a kind by outcome. */
export type Counts = Readonly<Record<Outcome | "failed", number>>

/** The result of an import by record kind. Lines of an unknown kind are counted under "unknown". */
export type Summary = ReadonlyMap<string, Counts>

/** Counts lines while they are imported. */
export class Tally {
  readonly #counts = new Map<string, Record<Outcome | "failed", number>>()

  #of(kind: string): Record<Outcome | "failed", number> {
    const known = this.#counts.get(kind)
    if (known !== undefined) return known
    const counts = { added: 0, changed: 0, unchanged: 0, failed: 0 }
    this.#counts.set(kind, counts)
    return counts
  }

  add(kind: string, what: keyof Counts): void {
    this.#of(kind)[what] += 1
  }

  /** Adds the lines of a transaction that was committed. */
  addAll(other: Tally): void {
    for (const [kind, { added, changed, failed, unchanged }] of other.#counts) {
      const counts = this.#of(kind)
      counts.added += added
      counts.changed += changed
      counts.unchanged += unchanged
      counts.failed += failed
    }
  }

  get summary(): Summary {
    return this.#counts
  }
}

/** Returns the number of lines that were not imported. */
export const failures = (summary: Summary): number =>
  Array.from(summary.values()).reduce((total, { failed }) => total + failed, 0)
