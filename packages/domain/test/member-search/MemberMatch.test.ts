import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { RoleId } from "../../src/guild/Role.ts"
import { userCreatedAt } from "../../src/member-search/MemberMatch.ts"
import { EPOCH, found, member } from "./Members.ts"

const roles = (...ids: ReadonlyArray<string>) => ids.map((id) => RoleId.make(id))

describe("a query by text", () => {
  it("that is blank finds all", () => {
    expect(found([member("1"), member("2")], { text: "\t\u3000", sortOrder: "asc" })).toEqual(["1", "2"])
  })

  it("finds a part of the username, the global name or the nickname", () => {
    const members = [
      member("1", { username: "xannax" }),
      member("2", { globalName: "xannax" }),
      member("3", { nickname: "xannax" }),
      member("4", { username: "bob", globalName: "Robert", nickname: "Bobby" })
    ]
    expect(found(members, { text: "anna", sortOrder: "asc" })).toEqual(["1", "2", "3"])
  })

  it("needs every one of its terms, in any order", () => {
    const members = [
      member("1", { username: "anna smith" }),
      member("2", { username: "anna" }),
      member("3", { username: "smith" })
    ]
    expect(found(members, { text: "smith anna" })).toEqual(["1"])
  })

  it("finds each term in any of the names", () => {
    const members = [member("1", { username: "asmith", globalName: "Robert", nickname: "Anna" })]
    expect(found(members, { text: "anna smith rob" })).toEqual(["1"])
  })

  it("does not find a text that spans two names", () => {
    expect(found([member("1", { username: "an", globalName: "na" })], { text: "anna" })).toEqual([])
  })

  it.each([["names", "rene", "Renée"], ["the query", "rené", "Irene"]])("normalises %s", (_, text, username) => {
    expect(found([member("1", { username })], { text })).toEqual(["1"])
  })

  it("treats the characters of patterns as text", () => {
    const members = [member("1", { username: "100%_real*" }), member("2", { username: "100 real" })]
    expect(found(members, { text: "%_r" })).toEqual(["1"])
    expect(found(members, { text: ".*" })).toEqual([])
  })
})

describe("a query that is a snowflake", () => {
  it("finds the member with that user id", () => {
    expect(found([member("123456"), member("123457")], { text: "123456" })).toEqual(["123456"])
  })

  it("does not find a member by a part of the user id", () => {
    expect(found([member("123456")], { text: "12345" })).toEqual([])
  })

  it("does not find a member by the user id as one term among others", () => {
    expect(found([member("123456", { username: "anna" })], { text: "anna 123456" })).toEqual([])
  })

  it("still finds names, after the member with that id", () => {
    const members = [member("5", { username: "777" }), member("777", { username: "anna" })]
    expect(found(members, { text: "777", sortBy: "relevance" })).toEqual(["777", "5"])
  })
})

describe("filters", () => {
  const members = [
    member("1", { roleIds: ["10", "11"], joinSourceType: 1, sourceInviteCode: "abc" }),
    member("2", { roleIds: ["10"], joinSourceType: 2, isBot: true }),
    member("3", { joinSourceType: 99, sourceInviteCode: "ABC" }),
    member("4")
  ]
  const ascending = { sortOrder: "asc" } as const

  it("by role need all of the roles", () => {
    expect(found(members, { roleIds: roles("10"), ...ascending })).toEqual(["1", "2"])
    expect(found(members, { roleIds: roles("10", "11"), ...ascending })).toEqual(["1"])
    expect(found(members, { roleIds: roles("10", "12"), ...ascending })).toEqual([])
  })

  it("by join source need any of them", () => {
    expect(found(members, { joinSourceTypes: [1], ...ascending })).toEqual(["1"])
    expect(found(members, { joinSourceTypes: [2, 99], ...ascending })).toEqual(["2", "3"])
    expect(found(members, { joinSourceTypes: [0], ...ascending })).toEqual([])
  })

  it("by invite code need any of them, to the letter", () => {
    expect(found(members, { sourceInviteCodes: ["abc"], ...ascending })).toEqual(["1"])
    expect(found(members, { sourceInviteCodes: ["abc", "ABC"], ...ascending })).toEqual(["1", "3"])
    expect(found(members, { sourceInviteCodes: ["ab"], ...ascending })).toEqual([])
  })

  it("by bot status distinguish bots from people", () => {
    expect(found(members, { isBot: Option.some(true), ...ascending })).toEqual(["2"])
    expect(found(members, { isBot: Option.some(false), ...ascending })).toEqual(["1", "3", "4"])
  })

  it("must all match", () => {
    expect(found(members, { roleIds: roles("10"), isBot: Option.some(true), joinSourceTypes: [1] })).toEqual([])
    expect(found(members, { roleIds: roles("10"), isBot: Option.some(true), joinSourceTypes: [2] })).toEqual(["2"])
  })
})

describe("bounds on the time of joining", () => {
  const members = [member("1", { joinedAt: 99 }), member("2", { joinedAt: 100 }), member("3", { joinedAt: 101 })]
  const gte = (bound: number) => ({ joinedAtGte: Option.some(bound) })
  const lte = (bound: number) => ({ joinedAtLte: Option.some(bound) })

  it("include the bound itself", () => {
    expect(found(members, { ...gte(100), sortOrder: "asc" })).toEqual(["2", "3"])
    expect(found(members, { ...lte(100), sortOrder: "asc" })).toEqual(["1", "2"])
    expect(found(members, { ...gte(100), ...lte(100) })).toEqual(["2"])
  })
})

describe("bounds on the creation of the account", () => {
  const EPOCH_SECONDS = EPOCH / 1000
  const createdAfter = (millis: number) => (BigInt(millis) << 22n).toString()
  const early = member(createdAfter(0))
  const late = member(createdAfter(1999))
  const gte = (bound: number) => ({ userCreatedAtGte: Option.some(bound) })
  const lte = (bound: number) => ({ userCreatedAtLte: Option.some(bound) })

  it("are compared with the whole second in the user id", () => {
    expect(userCreatedAt(late, EPOCH)).toBe(EPOCH_SECONDS + 1)
    expect(userCreatedAt(late, 0)).toBe(1)
  })

  it("include the bound itself", () => {
    expect(found([early, late], gte(EPOCH_SECONDS + 1))).toEqual([late.userId])
    expect(found([early, late], gte(EPOCH_SECONDS + 2))).toEqual([])
    expect(found([early, late], lte(EPOCH_SECONDS + 1))).toHaveLength(2)
    expect(found([early, late], lte(EPOCH_SECONDS))).toEqual([early.userId])
  })
})
