import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import type { EncodedMembers } from "../EncodedMembers.ts"
import type { IndexedMember } from "../IndexedMember.ts"
import { BYTES_PER_UNIT, encodeInto, END, shortLength } from "./EncodedText.ts"
import { ByteColumn, DoubleColumn, ShortColumn, WordColumn } from "./GrowingColumn.ts"
import { type ByValue, KIND, type Kind, type MemberColumns, type Value } from "./SealedSegment.ts"
import { digitsOf, halvesOf } from "./SnowflakeHalves.ts"
import type { SegmentText } from "./SuffixSorting.ts"
import { FIELDS } from "./TrieRoots.ts"

/** The number of members that are put into order between two pauses: takes some tenths of a millisecond. */
const MOVED_AT_ONCE = 2048

/** Adds a member to those with a value, unless it was added last: a role may be listed twice. */
const addOrdinal = (ordinals: ShortColumn, ordinal: number): void => {
  if (ordinals.length === 0 || ordinals.values[ordinals.length - 1] !== ordinal) ordinals.push(ordinal)
}

/** The members of a future segment as columns. */
export class CollectedMembers {
  readonly joinedAt: DoubleColumn
  readonly high: WordColumn
  readonly low: WordColumn
  readonly text: ByteColumn
  readonly starts: WordColumn
  /** By field: its length in code points, 0 if the member has none. */
  readonly lengths: ReadonlyArray<ByteColumn>
  readonly sets = Object.values(KIND).map(() => new Map<Value, ShortColumn>())

  /** By the halves of its id: the members with the role. So most roles of encoded members need no string. */
  readonly #roles = new Map<number, Map<number, ShortColumn>>()

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
    const { high, low } = halvesOf(member.userId)
    this.joinedAt.push(member.joinedAt)
    this.high.push(high)
    this.low.push(low)
    this.#addField(0, member.usernameText)
    this.#addField(1, member.globalNameText ?? "")
    this.#addField(2, member.nicknameText ?? "")
    this.starts.push(this.text.length)
    for (const role of member.roleIds) this.#addValue(KIND.role, role, ordinal)
    if (member.joinSourceType !== undefined) this.#addValue(KIND.source, member.joinSourceType, ordinal)
    if (member.sourceInviteCode !== undefined) this.#addValue(KIND.invite, member.sourceInviteCode, ordinal)
    if (member.isBot) this.#addValue(KIND.bot, true, ordinal)
  }

  /** Adds the next of the encoded members. Returns false if it has an invalid field; then these columns are not usable. */
  addEncoded(members: EncodedMembers): boolean {
    const ordinal = this.size
    if (!members.readUserId()) return false
    this.high.push(members.high)
    this.low.push(members.low)
    if (!members.readJoinedAt()) return false
    this.joinedAt.push(members.joinedAt)
    const isBot = members.readInteger()
    if (isBot !== 0 && isBot !== 1) return false
    if (isBot === 1) this.#addValue(KIND.bot, true, ordinal)
    if (!members.skipAbsent()) {
      const source = members.readInteger()
      if (source === undefined) return false
      this.#addValue(KIND.source, source, ordinal)
    }
    const hasRoleIds = members.readRoleIds((high, low) => addOrdinal(this.#ordinalsOfRole(high, low), ordinal))
    if (!hasRoleIds) return false
    if (!members.skipAbsent()) {
      const code = members.readText()
      if (code === undefined) return false
      this.#addValue(KIND.invite, code, ordinal)
    }
    for (let field = 0; field < FIELDS; field += 1) {
      const length = members.copyAscii(this.text)
      if (length === undefined) {
        const text = members.readText()
        if (text === undefined) return false
        this.#addField(field, text)
      } else this.lengths[field]?.push(shortLength(length))
    }
    this.starts.push(this.text.length)
    return true
  }

  /** Copies the members in this order to new columns, which it returns. `moved` has their new ordinals. */
  *inOrder(order: Uint16Array, moved: Int32Array): Generator<undefined, CollectedMembers> {
    const ordered = new CollectedMembers(this.size)
    ordered.joinedAt.pushEach(this.joinedAt.values, order)
    ordered.high.pushEach(this.high.values, order)
    ordered.low.pushEach(this.low.values, order)
    yield
    for (const [field, { values }] of this.lengths.entries()) ordered.lengths[field]?.pushEach(values, order)
    yield
    ordered.text.reserve(this.text.length)
    const text = { bytes: this.text.values, starts: this.starts.values }
    for (let from = 0; from < order.length; from += MOVED_AT_ONCE) {
      for (const ordinal of order.subarray(from, from + MOVED_AT_ONCE)) ordered.#copyText(text, ordinal)
      yield
    }
    yield* ordered.copySets(this.sets, moved)
    return ordered
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

  #addValue(kind: Kind, value: Value, ordinal: number): void {
    addOrdinal(this.#ordinalsOf(kind, value), ordinal)
  }

  /** Returns the members with the value. */
  #ordinalsOf(kind: Kind, value: Value): ShortColumn {
    const sets = this.sets[kind]
    let ordinals = sets?.get(value)
    if (ordinals === undefined) {
      ordinals = new ShortColumn(8)
      sets?.set(value, ordinals)
    }
    return ordinals
  }

  /** Returns the members with the role of this id. */
  #ordinalsOfRole(high: number, low: number): ShortColumn {
    let byLow = this.#roles.get(high)
    if (byLow === undefined) {
      byLow = new Map()
      this.#roles.set(high, byLow)
    }
    // A signed 32-bit integer is not allocated.
    const key = low | 0
    let ordinals = byLow.get(key)
    if (ordinals === undefined) {
      ordinals = this.#ordinalsOf(KIND.role, digitsOf(high, low))
      byLow.set(key, ordinals)
    }
    return ordinals
  }

  /** Copies a member of other columns, except the sets that `copySets` copies. */
  copy(from: MemberColumns, ordinal: number): void {
    this.joinedAt.push(from.joinedAtBase + (from.joinedAt[ordinal] ?? 0))
    this.high.push(from.ids.high[ordinal] ?? 0)
    this.low.push(from.ids.low[ordinal] ?? 0)
    this.#copyText(from.text, ordinal)
    for (let field = 0; field < FIELDS; field += 1) this.lengths[field]?.push(from.lengths[field]?.[ordinal] ?? 0)
  }

  #copyText({ bytes, starts }: SegmentText, ordinal: number): void {
    const start = starts[ordinal] ?? 0
    const length = (starts[ordinal + 1] ?? 0) - start
    const to = this.text.extend(length)
    const { values } = this.text
    for (let index = 0; index < length; index += 1) values[to + index] = bytes[start + index] ?? 0
    this.starts.push(this.text.length)
  }

  /** Copies the sets of other members. `moved` has their new ordinals, or -1. */
  *copySets(
    from: ByValue<{ readonly forEach: (visit: (ordinal: number) => void) => void }>,
    moved: Int32Array
  ): Generator<undefined, void> {
    for (const [kind, sets] of from.entries()) {
      for (const [value, ordinals] of sets) {
        const column = this.sets[kind]?.get(value) ?? new ShortColumn(8)
        ordinals.forEach((ordinal) => {
          const now = moved[ordinal] ?? -1
          if (now !== -1) column.push(now)
        })
        if (column.length > 0) this.sets[kind]?.set(value, column)
        yield
      }
    }
  }
}
