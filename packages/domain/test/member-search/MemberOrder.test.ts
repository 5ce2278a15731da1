import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { search } from "../../src/member-search/MemberMatch.ts"
import { MemberQuery, SortBy, SortOrder } from "../../src/member-search/MemberQuery.ts"
import { EPOCH, found, member } from "./Members.ts"

describe("the order by time of joining", () => {
  const members = [
    member("2", { joinedAt: 100 }),
    member("1", { joinedAt: 300 }),
    member("10", { joinedAt: 200 }),
    member("9", { joinedAt: 200 })
  ]

  it("is the default, latest first", () => {
    expect(found(members, {})).toEqual(["1", "10", "9", "2"])
  })

  it("breaks ties by the user id as a number, in the same direction", () => {
    expect(found(members, { sortOrder: "asc" })).toEqual(["2", "9", "10", "1"])
  })

  it("does not depend on a query", () => {
    const named = [
      member("1", { username: "anna", joinedAt: 1 }),
      member("2", { username: "joanna", joinedAt: 2 })
    ]
    expect(found(named, { text: "anna" })).toEqual(["2", "1"])
  })

  it("replaces relevance if there is no query", () => {
    expect(found(members, { sortBy: "relevance" })).toEqual(found(members, { sortBy: "joinedAt" }))
    expect(found(members, { sortBy: "relevance", text: " ", sortOrder: "asc" })).toEqual(
      found(members, { sortBy: "joinedAt", sortOrder: "asc" })
    )
  })
})

describe("relevance", () => {
  it.each<readonly [rule: string, text: string, fromWorst: ReadonlyArray<Parameters<typeof member>[1]>]>([
    ["equal before prefix, prefix of a word, inside a word, and separate terms", "anna b", [
      { username: "b anna" },
      { username: "xanna b" },
      { username: "the anna bell" },
      { username: "anna bell and many more" },
      { username: "anna b" }
    ]],
    ["the prefix of a word anywhere in the name before inside a word", "anna", [
      { username: "joanna" },
      { username: "joanna and anna" }
    ]],
    ["the username before the global name before the nickname, if they match equally well", "anna", [
      { nickname: "anna" },
      { globalName: "anna" },
      { username: "anna" }
    ]],
    ["a better match before a more important name", "anna", [{ username: "joanna" }, { nickname: "anna" }]],
    ["a more important name before a shorter one", "anna", [{ nickname: "annab" }, { username: "anna the great" }]],
    ["the shorter name first, counted in characters", "anna", [
      { username: "anna abc" },
      { username: "anna 🦊🦊" },
      { username: "anna a" }
    ]],
    ["a member by the best of its names", "anna", [
      { username: "annabel" },
      { username: "joanna", globalName: "Joanna", nickname: "anna" }
    ]],
    ["a name with only some of the terms as one with separate terms, and one with none nowhere", "anna smith", [
      // By its global name.
      { username: "ann", globalName: "smith", nickname: "smith anna and friends" },
      { username: "anna", nickname: "smith" }
    ]]
  ])("puts %s", (_, text, fromWorst) => {
    // From worst to best, so that the user ids do not give this order.
    const members = fromWorst.map((fields, index) => member(String(index + 1), fields))
    expect(found(members, { text, sortBy: "relevance" })).toEqual(members.map(({ userId }) => userId).toReversed())
  })

  it("puts the smaller user id first if all else is equal", () => {
    const members = [member("10", { username: "anna" }), member("9", { username: "anna" })]
    expect(found(members, { text: "anna", sortBy: "relevance" })).toEqual(["9", "10"])
  })
})

describe("a page", () => {
  const members = Array.from({ length: 30 }, (_, index) => member(String(index + 1), { joinedAt: index }))
  const page = (query: Parameters<typeof MemberQuery.make>[0]) => search(members, MemberQuery.make(query), EPOCH)

  it("has 25 members by default", () => {
    expect(page({}).members).toHaveLength(25)
  })

  it("has the exact total of all matches, even if it shows few", () => {
    expect(page({ limit: 1 }).total).toBe(30)
    expect(page({ limit: 1 }).members).toHaveLength(1)
  })

  it("is empty beyond the last member, with the right total", () => {
    expect(page({ offset: 30 })).toEqual({ members: [], total: 30, indexing: false })
  })

  it("does not sort the given members in place", () => {
    const given = [member("1", { joinedAt: 1 }), member("2", { joinedAt: 2 })]
    search(given, MemberQuery.make({}), EPOCH)
    expect(given.map(({ userId }) => userId)).toEqual(["1", "2"])
  })
})

describe("every order", () => {
  const name = FastCheck.string({ unit: FastCheck.constantFrom("a", "b", " ", "é", "🦊"), minLength: 1, maxLength: 6 })
  const members = FastCheck.uniqueArray(
    FastCheck.record({
      id: FastCheck.nat({ max: 1000 }).map(String),
      username: name,
      globalName: name,
      joinedAt: FastCheck.nat({ max: 3 })
    }),
    { selector: ({ id }) => id, maxLength: 20 }
  ).map((all) => all.map(({ globalName, id, joinedAt, username }) => member(id, { globalName, joinedAt, username })))
  const query = {
    members,
    text: FastCheck.constantFrom("", "a", "b", "ab", "a b", "e", "🦊"),
    sortBy: FastCheck.constantFrom(...SortBy.literals)
  }

  it.prop("ascending is the reverse of descending", query, ({ members: given, sortBy, text }) => {
    const [ascending, descending] = SortOrder.literals.map((sortOrder) =>
      found(given, { text, sortBy, sortOrder, limit: 100 })
    )
    expect(ascending).toEqual(descending?.toReversed())
  })

  it.prop("does not depend on the order in which members are stored", query, ({ members: given, sortBy, text }) => {
    expect(found(given.toReversed(), { text, sortBy, limit: 100 })).toEqual(found(given, { text, sortBy, limit: 100 }))
  })

  it.prop(
    "has pages that do not overlap and together have all members",
    { ...query, limit: FastCheck.integer({ min: 1, max: 7 }) },
    ({ limit, members: given, sortBy, text }) => {
      const pages = given.map((_, index) => found(given, { text, sortBy, limit, offset: index * limit }))
      expect(pages.flat()).toEqual(found(given, { text, sortBy, limit: 100 }))
    }
  )
})
