import { UserId } from "@community-messaging/domain/account/User"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { fromMember } from "../src/IndexedMember.ts"
import { INDEX_LIMITS, type IndexLimits } from "../src/IndexLimits.ts"
import { MemberIndexBuilder } from "../src/MemberIndexBuilder.ts"
import { EPOCH, inOrder, member, members, query, runs, SMALL, specified } from "./Generated.ts"

const indexOf = (all: ReadonlyArray<GuildMember>, limits: IndexLimits) => {
  const making = new MemberIndexBuilder(EPOCH, limits)
  for (const one of all) making.add(fromMember(one))
  return making.finish()
}

const anyOrder = members(300).chain((all) => FastCheck.shuffledSubarray([...all], { minLength: all.length }))

/** Members with these ids and usernames, who have no other names. */
const withNames = (drawn: GuildMember, named: ReadonlyArray<readonly [id: string, username: string]>) =>
  inOrder(named.map(([id, username]) => ({
    ...drawn,
    userId: UserId.make(id),
    username,
    globalName: Option.none(),
    nickname: Option.none()
  })))

const queries = FastCheck.array(query, { minLength: 30, maxLength: 30 })

describe("an index has the results of the specification", () => {
  it.prop("with several small segments", { all: members(200), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, SMALL)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(25))

  it.prop("with one segment", { all: members(300), queries }, ({ all, queries: asked }) => {
    const index = indexOf(all, INDEX_LIMITS)
    for (const one of asked) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(12))

  it.prop("with one segment whose members are added in any order", { added: anyOrder, queries }, (drawn) => {
    const index = indexOf(drawn.added, INDEX_LIMITS)
    const all = inOrder(drawn.added)
    for (const one of drawn.queries) expect(index.search(one)).toEqual(specified(all, one))
  }, runs(12))

  it.prop("for half of a character that is a surrogate pair", { all: members(60) }, ({ all }) => {
    const foxes = all.map((one, number) => ({ ...one, username: number % 2 === 0 ? "🦊" : "a\udd8a" }))
    const half = MemberQuery.make({ text: "\udd8a", sortBy: "relevance", limit: 100 })
    expect(indexOf(foxes, INDEX_LIMITS).search(half)).toEqual(specified(foxes, half))
  }, runs(5))

  it.prop("for many equal names", { drawn: members(200) }, ({ drawn }) => {
    const all = drawn.map((one) => ({ ...one, username: "anna" }))
    const asked = MemberQuery.make({ text: "anna", sortBy: "relevance", limit: 5 })
    expect(indexOf(all, SMALL).search(asked)).toEqual(specified(all, asked))
  }, runs(25))

  it.prop("for an id whose half is in other ids", { drawn: member }, ({ drawn }) => {
    const all = withNames(drawn, [["5", "x"], ["3", "5"], [String(2 ** 32 + 5), "a5"]])
    const asked = MemberQuery.make({ text: "5", sortBy: "relevance" })
    for (const limits of [SMALL, INDEX_LIMITS]) {
      expect(indexOf(all, limits).search(asked)).toEqual(specified(all, asked))
    }
  }, runs(1))

  it.prop("for the id of a member whom another filter excludes", { drawn: member }, ({ drawn }) => {
    const all = withNames(drawn, [["5", "x"], ["6", "a5"], ["7", "b5"]])
      .map((one) => ({ ...one, isBot: one.userId !== "5" }))
    const asked = MemberQuery.make({ text: "5", isBot: Option.some(true), sortBy: "relevance" })
    expect(indexOf(all, SMALL).search(asked)).toEqual(specified(all, asked))
  }, runs(1))

  it.prop("with times of joining that differ by more than 32 bits", { drawn: members(2) }, ({ drawn }) => {
    const all = drawn.map((one, number) => ({ ...one, joinedAt: number * (2 ** 32 + 1) }))
    const late = MemberQuery.make({ joinedAtGte: Option.some(2), limit: 100 })
    expect(indexOf(all, INDEX_LIMITS).search(late)).toEqual(specified(all, late))
  }, runs(5))
})
