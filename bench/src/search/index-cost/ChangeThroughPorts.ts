import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { Effect, Option } from "effect"
import { inTurn } from "../../report/InTurn.ts"
import type { CommunityMember } from "../community/Community.ts"
import { fullMember } from "../community/FullMember.ts"
import type { Program } from "../subject/MemberSearchSubject.ts"
import type { SearchedGuild } from "./Restart.ts"

/** The cost of a change in the service. Times are in milliseconds. */
export interface ChangeThroughPorts {
  /** To save a membership with a new nickname, durably. */
  readonly save: ReadonlyArray<number>
  /** The search right after it, which finds the member by that nickname. */
  readonly search: ReadonlyArray<number>
  readonly unseen: number
}

/** Renames those members of the guild, which is indexed, and searches each by the new name. */
export const measure = async (
  service: Program,
  { guildId, ownerId }: SearchedGuild,
  changing: ReadonlyArray<CommunityMember>
): Promise<ChangeThroughPorts> => {
  const save: Array<number> = []
  const search: Array<number> = []
  let unseen = 0
  await inTurn(changing, async (member, number) => {
    const nickname = `moved${String(number).padStart(6, "0")}`
    const { discriminator: _1, globalName: _2, isBot: _3, username: _4, ...membership } = fullMember(guildId, member)
    const begin = performance.now()
    await service.runtime.runPromise(Effect.flatMap(
      MembershipRepository,
      (memberships) => memberships.save({ ...membership, nickname: Option.some(nickname) })
    ))
    const saved = performance.now()
    const { total } = await service.search(ownerId, guildId, MemberQuery.make({ text: nickname }))
    search.push(performance.now() - saved)
    save.push(saved - begin)
    if (total !== 1) unseen += 1
  })
  return { save, search, unseen }
}
