import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"

/** The result of a search: the ids of the page, in order, and the exact number of all matches. */
export interface Found {
  readonly userIds: ReadonlyArray<string>
  readonly total: number
}

/** Something that searches the members of a guild, with the guild loaded already. */
export interface SearchSubject {
  readonly name: string
  /** Whether its order by relevance is the specification's; otherwise only totals are compared. */
  readonly ranksAsSpecified: boolean
  readonly search: (query: MemberQuery) => Found | Promise<Found>
  readonly close: () => Promise<void>
}
