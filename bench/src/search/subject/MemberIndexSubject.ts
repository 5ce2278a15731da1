import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import type { SearchSubject } from "../SearchSubject.ts"

/** The index alone: finds the ids, without loading the members. */
export const make = (name: string, { search }: MemberIndex): SearchSubject => ({
  name,
  ranksAsSpecified: true,
  search,
  close: () => Promise.resolve()
})
