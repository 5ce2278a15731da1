import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { make, type SeededRandom } from "../report/SeededRandom.ts"
import type { Community } from "./community/Community.ts"
import type { QueryClass } from "./QueryClasses.ts"
import * as Reference from "./Reference.ts"
import type { Found } from "./SearchSubject.ts"

/** A query with its correct result. */
export interface DrawnQuery {
  readonly query: MemberQuery
  readonly expected: Found
}

/** A class with its queries. */
export interface DrawnClass {
  readonly queryClass: QueryClass
  readonly queries: ReadonlyArray<DrawnQuery>
}

/** The most draws for a class, which may have few distinct queries. Most draws cost only a search of the sample. */
const ATTEMPTS = 400
const SAMPLE = 4000

/**
 * Distinct queries of every class, up to that many, with a number of hits in the range of the class. The same community and
 * seed give the same queries. A sample of the members avoids most scans of all members.
 */
export const drawAll = (
  classes: ReadonlyArray<QueryClass>,
  community: Community,
  howMany: number,
  seed: number
): ReadonlyArray<DrawnClass> => {
  const { members } = community
  const every = Math.max(1, Math.floor(members.length / SAMPLE))
  const sampled = members.filter((_, index) => index % every === 0)
  const sample = Reference.make(sampled)
  const whole = Reference.make(members)

  const draw = (queryClass: QueryClass, random: SeededRandom): DrawnClass => {
    const [atLeast, atMost] = queryClass.hits
    const isLikely = (hits: number) =>
      hits >= Math.floor(atLeast * 0.7 * sampled.length) && hits <= Math.ceil(atMost * 1.3 * sampled.length)
    const isWithin = (total: number) =>
      total >= atLeast * members.length && total <= Math.max(atMost * members.length, 1)
    const drawn = new Map<string, DrawnQuery>()
    const tried = new Set<string>()
    for (let attempt = 0; attempt < ATTEMPTS && drawn.size < howMany; attempt++) {
      const query = queryClass.draw(random, community)
      const key = JSON.stringify(query)
      if (tried.has(key)) continue
      tried.add(key)
      if (!isLikely(sample.count(query))) continue
      const expected = whole.search(query)
      if (isWithin(expected.total)) drawn.set(key, { query, expected })
    }
    return { queryClass, queries: Array.from(drawn.values()) }
  }

  return classes.map((queryClass, index) => draw(queryClass, make(seed + index)))
}
