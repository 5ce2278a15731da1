import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import { builder } from "@community-messaging/member-index/MemberIndexBuilder"
import { type Community, type CommunityMember, EPOCH } from "../community/Community.ts"
import { make as makeRandom } from "../community/SeededRandom.ts"

/** What the index of a community costs. */
export interface IndexItself {
  readonly members: number
  readonly buildMillis: number
  /** By its own account. */
  readonly bytesPerMember: number
  /** By which the typed arrays of the process grew, rubbish included. */
  readonly arrayBytesPerMember: number
  /** What each change took, in microseconds: to set it alone, and with the search that sees it. */
  readonly setMicros: ReadonlyArray<number>
  readonly seenMicros: ReadonlyArray<number>
  /** The work that changes leave behind, done between them, as a mean for each change. */
  readonly maintainMicros: number
  /** Changes that the next search did not see. */
  readonly unseen: number
}

const arrayBytes = (): number => process.memoryUsage().arrayBuffers

/** A nickname that nobody else has, nor has as a part of theirs. */
const freshNickname = (number: number): string => `renamed${String(number).padStart(6, "0")}`

const changed = (member: CommunityMember, number: number): CommunityMember => ({
  ...member,
  nicknameText: freshNickname(number)
})

const change = (index: MemberIndex, community: Community, changes: number) => {
  const random = makeRandom(11)
  const setMicros: Array<number> = []
  const seenMicros: Array<number> = []
  let maintaining = 0
  let unseen = 0
  for (let number = 0; number < changes; number++) {
    const place = random.below(community.members.length)
    for (const member of community.members.slice(place, place + 1)) {
      const next = changed(member, number)
      const query = MemberQuery.make({ text: freshNickname(number) })
      const begin = performance.now()
      index.set(next)
      const set = performance.now()
      const found = index.search(query)
      const seen = performance.now()
      setMicros.push((set - begin) * 1000)
      seenMicros.push((seen - begin) * 1000)
      if (found.total !== 1 || found.userIds[0] !== member.userId) unseen += 1
      while (index.maintain());
      maintaining += performance.now() - seen
    }
  }
  return { setMicros, seenMicros, unseen, maintainMicros: maintaining * 1000 / changes }
}

/** Builds the index, and changes members in it. */
export const measure = (community: Community, changes: number): IndexItself => {
  const { members } = community
  const before = arrayBytes()
  const begin = performance.now()
  const making = builder({ epoch: EPOCH })
  for (const member of members) making.add(member)
  const index = making.finish()
  const buildMillis = performance.now() - begin
  return {
    members: members.length,
    buildMillis,
    bytesPerMember: index.bytes() / members.length,
    arrayBytesPerMember: (arrayBytes() - before) / members.length,
    ...change(index, community, changes)
  }
}
