import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { fromMember } from "../src/IndexedMember.ts"
import { INDEX_LIMITS, type IndexLimits } from "../src/IndexLimits.ts"
import { builder } from "../src/MemberIndexBuilder.ts"
import { EPOCH, inOrder, members, query, runs, SMALL, specified } from "./Generated.ts"

const indexOf = (all: ReadonlyArray<GuildMember>, limits: IndexLimits) => {
  const making = builder({ epoch: EPOCH, limits })
  for (const member of all) making.add(fromMember(member))
  return making.finish()
}

const anyOrder = members(300).chain((all) => FastCheck.shuffledSubarray([...all], { minLength: all.length }))

const queries = FastCheck.array(query, { minLength: 30, maxLength: 30 })

describe("an index answers as the specification does", () => {
  it.prop("of several small segments", { all: members(200), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, SMALL)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(25))

  it.prop("of one segment", { all: members(300), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, INDEX_LIMITS)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(12))

  it.prop("of one segment whose members are added in any order", { added: anyOrder, queries }, (drawn) => {
    const index = indexOf(drawn.added, INDEX_LIMITS)
    const all = inOrder(drawn.added)
    for (const one of drawn.queries) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(12))

  it.prop("to half of a character that is a pair of units", { all: members(60) }, ({ all }) => {
    const foxes = all.map((member, number) => ({ ...member, username: number % 2 === 0 ? "🦊" : "a\udd8a" }))
    const half = MemberQuery.make({ text: "\udd8a", sortBy: "relevance", limit: 100 })
    expect(indexOf(foxes, INDEX_LIMITS).search(half)).toEqual(specified(foxes, half))
  }, runs(5))
})
