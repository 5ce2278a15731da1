import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { Community } from "./community/Community.ts"
import { make, type SeededRandom } from "./community/SeededRandom.ts"
import type { QueryClass } from "./QueryClasses.ts"
import * as Reference from "./Reference.ts"
import type { Found } from "./SearchSubject.ts"

/** A query with its right answer. */
export interface DrawnQuery {
  readonly query: MemberQuery
  readonly expected: Found
}

/** A class with queries of it. */
export interface DrawnClass {
  readonly queryClass: QueryClass
  readonly queries: ReadonlyArray<DrawnQuery>
}

/** Drawn before a class is taken to have no more distinct queries; most cost no more than a look at the sample. */
const ATTEMPTS = 400
const SAMPLE = 4000

/**
 * Queries of every class, up to that many, distinct, and with a true number of hits as the class wants it: always the same
 * ones for the same community and seed. A sample of the members spares most scans of all.
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
