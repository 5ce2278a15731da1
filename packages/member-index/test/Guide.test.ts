import { FastCheck } from "effect"
import { expect, it } from "vitest"
import { fromMember } from "../src/IndexedMember.ts"
import { MemberIndexBuilder } from "../src/MemberIndexBuilder.ts"
import { EPOCH as epoch, members as generated, specified } from "./Generated.ts"
import * as Generated from "./Generated.ts"

/* The program of docs/member-index.md. */

it("shows an index that is built, searched, changed and maintained", () => {
  const [members = []] = FastCheck.sample(generated(20), { numRuns: 1, seed: 1 })
  const [query] = FastCheck.sample(Generated.query, { numRuns: 1, seed: 1 })
  const [first] = members
  if (query === undefined || first === undefined) throw new Error("No members were generated")
  const member = fromMember(first)

  const making = new MemberIndexBuilder(epoch)
  for (const each of members) making.add(fromMember(each)) // in the order of their joining
  const index = making.finish()
  index.search(query) // { userIds, total }
  index.set(member) // the next search sees the change
  index.maintain() // one step of maintenance, called regularly

  expect(index.search(query)).toEqual(specified(members, query))
  expect(index.size()).toBe(members.length)
})
