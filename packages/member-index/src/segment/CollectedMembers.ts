import type { RoleId } from "@community-messaging/domain/guild/Role"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import type { IndexedMember } from "../IndexedMember.ts"
import { BYTES_PER_UNIT, encodeInto, END, shortLength } from "./EncodedText.ts"
import { ByteColumn, DoubleColumn, ShortColumn, WordColumn } from "./GrowingColumn.ts"
import type { JoinPlace } from "./JoinPlace.ts"
import type { OrdinalSet } from "./OrdinalSet.ts"
import { placeAt, type SealedSegment, textOf } from "./SealedSegment.ts"
import { FIELDS } from "./TrieRoots.ts"
import { halvesOf } from "./UserIdHalves.ts"

/** The ordinals of members by one of their values, such as a role. */
export type Having<A> = Map<A, ShortColumn>

const have = <A>(having: Having<A>, what: A, ordinal: number): void => {
  let ordinals = having.get(what)
  if (ordinals === undefined) {
    ordinals = new ShortColumn(8)
    having.set(what, ordinals)
  }
  // A role may be listed twice.
  if (ordinals.length === 0 || ordinals.values[ordinals.length - 1] !== ordinal) ordinals.push(ordinal)
}

const moveOrdinals = ({ length, values }: ShortColumn, moved: Uint16Array): void => {
  for (let index = 0; index < length; index += 1) values[index] = moved[values[index] ?? 0] ?? 0
}

const moveHaving = <A>(from: Having<A>, to: Having<A>, moved: Uint16Array): void => {
  for (const [what, ordinals] of from) {
    moveOrdinals(ordinals, moved)
    to.set(what, ordinals)
  }
}

/** The number of members that are put into order between two pauses: takes some tenths of a millisecond. */
const MOVED_AT_ONCE = 2048

/** The members of a future segment as columns. */
export class CollectedMembers {
  readonly joinedAt: DoubleColumn
  readonly high: WordColumn
  readonly low: WordColumn
  readonly text: ByteColumn
  readonly starts: WordColumn
  /** By field: its length in code points, 0 if the member has none. */
  readonly lengths: ReadonlyArray<ByteColumn>
  readonly roles: Having<RoleId> = new Map()
  readonly sources: Having<number> = new Map()
  readonly invites: Having<string> = new Map()
  readonly bots = new ShortColumn(8)

  constructor(capacity: number) {
    this.joinedAt = new DoubleColumn(capacity)
    this.high = new WordColumn(capacity)
    this.low = new WordColumn(capacity)
    this.text = new ByteColumn(capacity * 32)
    this.starts = new WordColumn(capacity + 1)
    this.starts.push(0)
    this.lengths = Array.from({ length: FIELDS }, () => new ByteColumn(capacity))
  }

  get size(): number {
    return this.joinedAt.length
  }

  add(member: IndexedMember): void {
    const ordinal = this.size
    this.#addPlace({ joinedAt: member.joinedAt, ...halvesOf(member.userId) })
    this.#addField(0, member.usernameText)
    this.#addField(1, member.globalNameText ?? "")
    this.#addField(2, member.nicknameText ?? "")
    this.starts.push(this.text.length)
    for (const role of member.roleIds) have(this.roles, role, ordinal)
    if (member.joinSourceType !== undefined) have(this.sources, member.joinSourceType, ordinal)
    if (member.sourceInviteCode !== undefined) have(this.invites, member.sourceInviteCode, ordinal)
    if (member.isBot) this.bots.push(ordinal)
  }

  /** Moves the members in this order to new columns, which it returns. `moved` has their new ordinals. */
  *inOrder(order: Uint16Array, moved: Uint16Array): Generator<undefined, CollectedMembers> {
    const ordered = new CollectedMembers(this.size)
    ordered.text.reserve(this.text.length)
    for (let from = 0; from < order.length; from += MOVED_AT_ONCE) {
      for (const ordinal of order.subarray(from, from + MOVED_AT_ONCE)) ordered.#move(this, ordinal)
      yield
    }
    moveHaving(this.roles, ordered.roles, moved)
    moveHaving(this.sources, ordered.sources, moved)
    moveHaving(this.invites, ordered.invites, moved)
    for (const ordinal of this.bots.values.subarray(0, this.bots.length)) ordered.bots.push(moved[ordinal] ?? 0)
    return ordered
  }

  #move(from: CollectedMembers, ordinal: number): void {
    this.joinedAt.push(from.joinedAt.values[ordinal] ?? 0)
    this.high.push(from.high.values[ordinal] ?? 0)
    this.low.push(from.low.values[ordinal] ?? 0)
    const { values: text } = from.text
    const end = from.starts.values[ordinal + 1] ?? 0
    for (let at = from.starts.values[ordinal] ?? 0; at < end; at += 1) this.text.push(text[at] ?? 0)
    this.starts.push(this.text.length)
    for (let field = 0; field < FIELDS; field += 1) {
      this.lengths[field]?.push(from.lengths[field]?.values[ordinal] ?? 0)
    }
  }

  #addPlace({ high, joinedAt, low }: JoinPlace): void {
    this.joinedAt.push(joinedAt)
    this.high.push(high)
    this.low.push(low)
  }

  #addField(field: number, text: string): void {
    this.text.reserve(text.length * BYTES_PER_UNIT + 1)
    const start = this.text.length
    this.text.length = encodeInto(this.text.values, start, text)
    // A text with a byte for each unit is ASCII.
    const isAscii = this.text.length - start === text.length
    this.text.push(END)
    this.lengths[field]?.push(shortLength(isAscii ? text.length : codePointLength(text)))
  }

  /** Copies a member of another segment, except the sets that `copySets` copies. */
  copy(from: SealedSegment, ordinal: number): void {
    this.#addPlace(placeAt(from, ordinal))
    const text = textOf(from, ordinal)
    this.text.reserve(text.length)
    this.text.values.set(text, this.text.length)
    this.text.length += text.length
    this.starts.push(this.text.length)
    for (let field = 0; field < FIELDS; field += 1) this.lengths[field]?.push(from.lengths[field]?.[ordinal] ?? 0)
  }

  /**
   * Copies roles, join sources and invite codes of members of another segment. `moved` has their new ordinals, or -1.
   */
  *copySets(from: SealedSegment, moved: Int32Array): Generator<undefined, void> {
    yield* copyHaving(from.roles, this.roles, moved)
    yield* copyHaving(from.sources, this.sources, moved)
    yield* copyHaving(from.invites, this.invites, moved)
    from.bots.forEach((ordinal) => {
      const now = moved[ordinal] ?? -1
      if (now !== -1) this.bots.push(now)
    })
  }
}

function* copyHaving<A>(
  from: ReadonlyMap<A, OrdinalSet>,
  to: Having<A>,
  moved: Int32Array
): Generator<undefined, void> {
  for (const [what, ordinals] of from) {
    const column = to.get(what) ?? new ShortColumn(8)
    ordinals.forEach((ordinal) => {
      const now = moved[ordinal] ?? -1
      if (now !== -1) column.push(now)
    })
    if (column.length > 0) to.set(what, column)
    yield
  }
}
