import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Option } from "effect"
import { inTurn } from "../../report/InTurn.ts"
import type { Community } from "../community/Community.ts"
import { fullMember } from "../community/FullMember.ts"
import { make as makeRandom } from "../community/SeededRandom.ts"
import type { StoredGuild } from "../community/ServiceDatabase.ts"
import { program } from "../subject/MemberSearchSubject.ts"

/** What a change costs in the service. Times are in milliseconds. */
export interface ChangeThroughPorts {
  /** To save a membership with a new nickname, durably. */
  readonly save: ReadonlyArray<number>
  /** The search right after it, which finds the member by that nickname. */
  readonly search: ReadonlyArray<number>
  readonly unseen: number
}

/** Renames members of the guild, and searches each by the new name. */
export const measure = async (
  filename: string,
  { guildId, members, ownerId }: StoredGuild & Pick<Community, "members">,
  changes: number
): Promise<ChangeThroughPorts> => {
  const service = program(StorageSqlite.layer({ filename }))
  const save: Array<number> = []
  const search: Array<number> = []
  let unseen = 0
  try {
    await service.searchIndexed(ownerId, guildId, MemberQuery.make({}))
    const random = makeRandom(13)
    await inTurn(
      Array.from({ length: changes }, () => random.below(members.length)).flatMap((at) => members.slice(at, at + 1)),
      async (member, number) => {
        const nickname = `moved${String(number).padStart(6, "0")}`
        const { discriminator: _1, globalName: _2, isBot: _3, username: _4, ...membership } = fullMember(
          guildId,
          member
        )
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
      }
    )
  } finally {
    await service.close()
  }
  return { save, search, unseen }
}
