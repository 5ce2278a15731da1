import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { inTurn } from "../report/InTurn.ts"
import { make } from "../report/SeededRandom.ts"
import type { SearchSubject } from "./SearchSubject.ts"

const SEED = 11

/**
 * Searches `pages` pages of a guild at random places, once on each subject. Few of their members are among the recent ones,
 * so each page is read from the storage. Returns the times by subject, in milliseconds.
 */
export const measure = async (
  subjects: ReadonlyArray<SearchSubject>,
  members: number,
  pages: number
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  const random = make(SEED)
  const taken = new Map(subjects.map(({ name }) => [name, new Array<number>()]))
  const offsets = Array.from({ length: pages }, () => random.below(members))
  await inTurn(offsets, (offset) =>
    inTurn(subjects, async ({ name, search }) => {
      const begin = performance.now()
      await search(MemberQuery.make({ offset }))
      taken.get(name)?.push(performance.now() - begin)
    }))
  return taken
}
