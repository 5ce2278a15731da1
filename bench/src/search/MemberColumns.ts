import type { CommunityMember } from "./community/Community.ts"

/** Each property of all members in a column: a scan reads memory in order, instead of a million separate objects. */
export interface MemberColumns {
  readonly joinedAt: Uint32Array
  readonly createdAt: Uint32Array
  readonly isBot: Uint8Array
  /** -1 if there is none. */
  readonly joinSourceType: Int8Array
  /** The index of the code in `inviteCodes`; -1 if there is none. */
  readonly inviteCode: Int32Array
  readonly inviteCodes: ReadonlyMap<string, number>
  /** For each role, 1 for the members who have it. */
  readonly roles: ReadonlyMap<string, Uint8Array>
  /** The texts of all members, one after the other. */
  readonly text: string
  /** The ends of the texts of each member. */
  readonly textEnd: Uint32Array
}

/** Each text once, with a number. */
const numbered = (texts: ReadonlySet<string>): ReadonlyMap<string, number> =>
  new Map(Array.from(texts, (text, index) => [text, index]))

/** The columns of those members, in their order. */
export const make = (members: ReadonlyArray<CommunityMember>): MemberColumns => {
  const codes = new Set<string>()
  const roleIds = new Set<string>()
  for (const member of members) {
    if (member.sourceInviteCode !== undefined) codes.add(member.sourceInviteCode)
    for (const role of member.roleIds) roleIds.add(role)
  }
  const inviteCodes = numbered(codes)
  const roles = new Map(Array.from(roleIds, (role) => [role, new Uint8Array(members.length)]))
  const textEnd = new Uint32Array(members.length)
  let end = 0
  members.forEach((member, index) => {
    for (const role of member.roleIds) {
      const holders = roles.get(role)
      if (holders !== undefined) holders[index] = 1
    }
    end += member.searchText.length
    textEnd[index] = end
  })
  return {
    joinedAt: Uint32Array.from(members, ({ joinedAt }) => joinedAt),
    createdAt: Uint32Array.from(members, ({ createdAt }) => createdAt),
    isBot: Uint8Array.from(members, ({ isBot }) => isBot ? 1 : 0),
    joinSourceType: Int8Array.from(members, ({ joinSourceType }) => joinSourceType ?? -1),
    inviteCode: Int32Array.from(members, ({ sourceInviteCode }) => inviteCodes.get(sourceInviteCode ?? "") ?? -1),
    inviteCodes,
    roles,
    text: members.map(({ searchText }) => searchText).join(""),
    textEnd
  }
}
