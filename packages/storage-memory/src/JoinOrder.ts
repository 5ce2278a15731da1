import type { Membership } from "@community-messaging/domain/guild/Membership"
import * as Snowflake from "@community-messaging/domain/Snowflake"

/** Memberships sorted at a time: few enough to take about a millisecond. */
const RUN = 1000

const compare = (self: Membership, that: Membership): number =>
  self.joinedAt - that.joinedAt || Snowflake.compare(self.userId, that.userId)

function* merge(first: Iterator<Membership>, second: Iterator<Membership>): Generator<Membership> {
  let [left, right] = [first.next(), second.next()]
  while (left.done !== true || right.done !== true) {
    if (right.done === true || (left.done !== true && compare(left.value, right.value) <= 0)) {
      if (left.done !== true) yield left.value
      left = first.next()
    } else {
      yield right.value
      right = second.next()
    }
  }
}

const mergeAll = (runs: ReadonlyArray<Iterator<Membership>>): Iterator<Membership> => {
  const [only] = runs
  if (runs.length <= 1) return only ?? [].values()
  const middle = Math.ceil(runs.length / 2)
  return merge(mergeAll(runs.slice(0, middle)), mergeAll(runs.slice(middle)))
}

/**
 * Sorts memberships by `joinedAt`, then by user id, in many small steps, so that others can have their turn in between: a
 * merge sort whose runs are sorted one a step and then merged lazily. A step that sorts gives nothing yet.
 */
export function* inJoinOrder(memberships: Iterable<Membership>): Generator<Membership | undefined, void> {
  const runs: Array<Iterator<Membership>> = []
  let run: Array<Membership> = []
  for (const membership of memberships) {
    run.push(membership)
    if (run.length < RUN) continue
    runs.push(run.sort(compare).values())
    run = []
    yield undefined
  }
  runs.push(run.sort(compare).values())
  const merged = mergeAll(runs)
  for (let next = merged.next(); next.done !== true; next = merged.next()) yield next.value
}
