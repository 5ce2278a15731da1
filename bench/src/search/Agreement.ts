import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { Schema } from "effect"
import { type Community, EPOCH } from "./community/Community.ts"
import { fullMember } from "./community/FullMember.ts"
import type { DrawnClass } from "./DrawnQueries.ts"
import type { Found } from "./SearchSubject.ts"

/** Whether both are the same page with the same total. */
export const isSame = (self: Found, that: Found): boolean =>
  self.total === that.total &&
  self.userIds.length === that.userIds.length &&
  self.userIds.every((userId, index) => userId === that.userIds[index])

/** The query as JSON. */
export const toJson: (query: MemberQuery) => string = Schema.encodeSync(Schema.parseJson(MemberQuery))

/** The queries, as JSON, whose expected result is not that of the specification: there must be none. */
export const disagreements = (
  { guildId, members }: Community,
  drawn: ReadonlyArray<DrawnClass>,
  perClass: number
): ReadonlyArray<string> => {
  if (perClass === 0) return []
  const all = members.map((member) => fullMember(guildId, member))
  return drawn.flatMap(({ queries, queryClass }) =>
    queries.slice(0, perClass).flatMap(({ expected, query }) => {
      const page = MemberMatch.search(all, query, EPOCH)
      const found = { userIds: page.members.map(({ userId }) => userId), total: page.total }
      return isSame(found, expected) ? [] : [`${queryClass.name}: ${toJson(query)}`]
    })
  )
}
