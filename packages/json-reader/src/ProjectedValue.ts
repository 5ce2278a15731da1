import { setTotal } from "./Excerpt.ts"
import { memberAt, type Projection } from "./Projection.ts"

/** An array or object that is kept. */
interface Kept {
  readonly projection: Projection
  readonly object: Record<string, unknown> | undefined
  readonly items: Array<unknown> | undefined
  /** The number of items so far, with those that are not kept. */
  count: number
  /** The name of the member whose value comes next, and its projection; undefined if it is not kept. */
  name: string
  member: Projection | undefined
}

/** The projection of a JSON value, built from its parts in the order of reading. */
export class ProjectedValue {
  readonly #projection: Projection
  /** The open arrays and objects, outermost first; undefined for those of which nothing is kept. */
  readonly #open: Array<Kept | undefined> = []
  #root: unknown

  constructor(projection: Projection) {
    this.#projection = projection
  }

  /** The whole value. */
  get root(): unknown {
    return this.#root
  }

  /** The number of bytes that no name of a kept member of the open object has; undefined if nothing of it is kept. */
  get tooLongName(): number | undefined {
    return this.#open[this.#open.length - 1]?.projection.membersByLength.length
  }

  /** Selects the member whose name is these bytes in UTF-8. */
  name(bytes: Uint8Array, start: number, end: number): void {
    const parent = this.#open[this.#open.length - 1]
    if (parent === undefined) return
    const member = memberAt(parent.projection, bytes, start, end)
    parent.name = member?.name ?? ""
    parent.member = member?.projection
  }

  /** Moves on to the next value. Returns its projection; undefined if it is not kept. */
  next(): Projection | undefined {
    if (this.#open.length === 0) return this.#projection
    const parent = this.#open[this.#open.length - 1]
    if (parent === undefined || parent.object !== undefined) return parent?.member
    parent.count += 1
    const { items } = parent.projection
    return items !== undefined && parent.count <= items.limit ? items.each : undefined
  }

  /** Keeps the value that came next. */
  keep(value: unknown): void {
    const parent = this.#open[this.#open.length - 1]
    if (this.#open.length === 0) this.#root = value
    else if (parent?.object !== undefined) parent.object[parent.name] = value
    else parent?.items?.push(value)
  }

  /** Moves on to an array or object, and opens it. It is kept empty if the schema reads nothing of it. */
  begin(isObject: boolean): void {
    const projection = this.next()
    if (projection === undefined) {
      this.#open.push(undefined)
      return
    }
    const object = isObject ? {} : undefined
    const items = isObject ? undefined : []
    this.keep(object ?? items)
    const isRead = isObject ? projection.membersByLength.length > 0 : projection.items !== undefined
    this.#open.push(isRead ? { projection, object, items, count: 0, name: "", member: undefined } : undefined)
  }

  /** Closes the array or object that is open. */
  end(): void {
    const closed = this.#open.pop()
    if (closed?.items !== undefined && closed.count > closed.items.length) setTotal(closed.items, closed.count)
  }
}
