type Row = ReadonlyArray<unknown>

/** The number of remembered changes. Positions in use are among the last ones that were read. */
const MAX_REMEMBERED = 1000

const numberOf = (row: Row): unknown => row.at(-1)

const identityOf = (row: Row): string => row.slice(0, -1).join(" ")

/**
 * Remembers which change of a member had a number. If a standby without the last changes takes over, or a backup is
 * restored, other changes get their numbers later: an index with the lost changes must not continue with those after them.
 * In a row, the number of the change is the last value.
 */
export class NumberedChanges {
  readonly #identities = new Map<unknown, string>()

  /** Remembers the change, if there is one. A known change with its number stays, until `withoutReplaced` has reported it. */
  remember(row: Row | undefined): void {
    if (row === undefined || this.#isReplaced(row)) return
    this.#identities.delete(numberOf(row))
    this.#identities.set(numberOf(row), identityOf(row))
    if (this.#identities.size <= MAX_REMEMBERED) return
    const [oldest] = this.#identities.keys()
    this.#identities.delete(oldest)
  }

  /** Returns the rows, without the first one if its number was that of another change. Remembers the last one. */
  withoutReplaced(rows: ReadonlyArray<Row>): ReadonlyArray<Row> {
    const [first] = rows
    const isReplaced = first !== undefined && this.#isReplaced(first)
    if (isReplaced) this.#identities.set(numberOf(first), identityOf(first))
    this.remember(rows.at(-1))
    return isReplaced ? rows.slice(1) : rows
  }

  #isReplaced(row: Row): boolean {
    const known = this.#identities.get(numberOf(row))
    return known !== undefined && known !== identityOf(row)
  }
}
