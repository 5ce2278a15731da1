import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import type { SearchSubject } from "../SearchSubject.ts"

/** The index by itself: it finds the ids, and nobody loads what they stand for. */
export const make = (name: string, { search }: MemberIndex): SearchSubject => ({
  name,
  ranksAsSpecified: true,
  search,
  close: () => Promise.resolve()
})
