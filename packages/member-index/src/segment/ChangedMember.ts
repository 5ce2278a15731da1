import type { IndexedMember } from "../IndexedMember.ts"
import { BYTES_PER_UNIT, encodeInto, END, fieldStart, lengthAt, letterBits } from "./EncodedText.ts"
import type { JoinPlace } from "./JoinPlace.ts"
import { rankOf, type SealedSegment } from "./SealedSegment.ts"
import { halvesOf } from "./SnowflakeHalves.ts"

/** A member that was added or changed after its segment was sealed. */
export interface ChangedMember extends JoinPlace {
  readonly member: IndexedMember
  /** Its names as in a sealed segment: each ends with `END`. */
  readonly text: Uint8Array
  /** The letters of the text. They exclude most texts without a search. */
  readonly letters: number
  /** The number of sealed members before it in join order. */
  readonly rank: number
}

const encode = ({ globalNameText = "", nicknameText = "", usernameText }: IndexedMember): Uint8Array => {
  const bytes = new Uint8Array((usernameText.length + globalNameText.length + nicknameText.length) * BYTES_PER_UNIT + 3)
  let end = 0
  for (const text of [usernameText, globalNameText, nicknameText]) {
    end = encodeInto(bytes, end, text)
    bytes[end] = END
    end += 1
  }
  return bytes.slice(0, end)
}

export const changedMember = (member: IndexedMember, sealed: SealedSegment): ChangedMember => {
  const place = { joinedAt: member.joinedAt, ...halvesOf(member.userId) }
  const text = encode(member)
  return { member, ...place, text, letters: letterBits(text, text.length), rank: rankOf(sealed, place) }
}

/** Returns the length of the field in code points. */
export const lengthOf = ({ text }: ChangedMember, field: number): number => lengthAt(text, fieldStart(text, 0, field))
