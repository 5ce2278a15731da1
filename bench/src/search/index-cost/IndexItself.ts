import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import { MemberIndexBuilder } from "@community-messaging/member-index/MemberIndexBuilder"
import { type Community, type CommunityMember, EPOCH } from "../community/Community.ts"

/** The cost of building the index of a community. */
export interface IndexBuild {
  readonly members: number
  readonly buildMillis: number
  /** As the index itself counts. */
  readonly bytesPerMember: number
  /** The growth of the process's typed arrays, including garbage. */
  readonly arrayBytesPerMember: number
}

/** The cost of changing members. */
export interface IndexChanges {
  /** The time of each change in microseconds: of `set` alone, and including the search that sees the change. */
  readonly setMicros: ReadonlyArray<number>
  readonly seenMicros: ReadonlyArray<number>
  /** The deferred work of changes, done between them, as a mean for each change. */
  readonly maintainMicros: number
  /** Changes that the next search did not see. */
  readonly unseen: number
}

const arrayBytes = (): number => process.memoryUsage().arrayBuffers

/** A nickname that no other nickname contains. */
const freshNickname = (number: number): string => `renamed${String(number).padStart(6, "0")}`

const changed = (member: CommunityMember, number: number): CommunityMember => ({
  ...member,
  nicknameText: freshNickname(number)
})

/** Changes those members of the index, one after the other. */
export const change = (index: MemberIndex, changing: ReadonlyArray<CommunityMember>): IndexChanges => {
  const setMicros: Array<number> = []
  const seenMicros: Array<number> = []
  let maintaining = 0
  let unseen = 0
  for (const [number, member] of changing.entries()) {
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
  return { setMicros, seenMicros, unseen, maintainMicros: maintaining * 1000 / changing.length }
}

/** Builds the index. */
export const build = ({ members }: Community): { readonly index: MemberIndex; readonly build: IndexBuild } => {
  const before = arrayBytes()
  const begin = performance.now()
  const making = new MemberIndexBuilder(EPOCH)
  for (const member of members) making.add(member)
  const index = making.finish()
  const buildMillis = performance.now() - begin
  const built = {
    members: members.length,
    buildMillis,
    bytesPerMember: index.bytes() / members.length,
    arrayBytesPerMember: (arrayBytes() - before) / members.length
  }
  return { index, build: built }
}
