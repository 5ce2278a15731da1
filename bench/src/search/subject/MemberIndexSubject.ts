import { builder } from "@community-messaging/member-index/MemberIndexBuilder"
import { type CommunityMember, EPOCH } from "../community/Community.ts"
import type { SearchSubject } from "../SearchSubject.ts"

/** The index by itself: it finds the ids, and nobody loads what they stand for. */
export const make = (name: string, members: ReadonlyArray<CommunityMember>): SearchSubject => {
  const making = builder({ epoch: EPOCH })
  for (const member of members) making.add(member)
  const index = making.finish()
  return { name, ranksAsSpecified: true, search: index.search, close: () => Promise.resolve() }
}
