import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { codePointLength } from "../../../src/shared-kernel/CodePointLength.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { commit, posted, REPOSITORY_URL } from "./Notifications.ts"

const NO_COMMIT = "0".repeat(40)
const COMPARE_URL = `${REPOSITORY_URL}/compare/aaaaaaa...bbbbbbb`

const pushed = (parts: Parameters<typeof posted>[1]) =>
  posted("push", {
    ref: "refs/heads/main",
    before: Option.some("a".repeat(40)),
    after: Option.some("b".repeat(40)),
    created: Option.some(false),
    deleted: Option.some(false),
    forced: Option.some(false),
    compareUrl: Option.some(COMPARE_URL),
    ...parts
  })

const link = (digit: string): string => `[\`${digit.repeat(7)}\`](${REPOSITORY_URL}/commit/${digit.repeat(40)})`

describe("a push to a branch", () => {
  it("shows its commits", () => {
    expect(pushed({ commits: [commit("1", "Add a"), commit("2", "Remove b", "hubot")] })).toEqual({
      type: "rich",
      title: "[octo-repo:main] 2 new commits",
      url: COMPARE_URL,
      color: COLOUR.pushed,
      author: {
        name: "octocat",
        url: "https://code.example/octocat",
        iconUrl: "https://avatars.example/octocat?v=4"
      },
      description: `${link("1")} Add a - mona\n${link("2")} Remove b - hubot`
    })
  })

  it("links to the commit when it is the only one", () => {
    expect(pushed({ commits: [commit("1", "Add a")] })).toMatchObject({
      title: "[octo-repo:main] 1 new commit",
      url: `${REPOSITORY_URL}/commit/${"1".repeat(40)}`
    })
  })

  it("shows the first line of a commit's message only", () => {
    expect(pushed({ commits: [commit("1", "Add a\r\n\r\nBecause of b.")] })?.description).toBe(
      `${link("1")} Add a - mona`
    )
  })

  it("shows ten commits and the count of the others", () => {
    const commits = Array.from({ length: 13 }, (_, index) => commit("1", `Commit ${index}`))
    const lines = pushed({ commits })?.description?.split("\n") ?? []
    expect([lines.length, lines[9], lines[10]]).toEqual([11, `${link("1")} Commit 9 - mona`, "… and 3 more"])
  })

  it("counts the commits that the notification does not have", () => {
    const commits = [commit("1", "Add a"), commit("2", "Remove b")]
    const { description, title } = pushed({ commits, moreCommits: 18 }) ?? {}
    expect([title, description?.split("\n").at(-1)]).toEqual(["[octo-repo:main] 20 new commits", "… and 18 more"])
  })

  it("has a description that is not too long, for any length of its commits' URLs", () => {
    for (let length = 300; length < 420; length += 1) {
      const long = { ...commit("1", "Commit"), url: Option.some(`https://code.example/${"a".repeat(length)}`) }
      const description = pushed({ commits: Array.from({ length: 12 }, () => long) })?.description ?? ""
      expect(codePointLength(description)).toBeLessThanOrEqual(4096)
    }
  })

  it("shows as many commits as there is room for, also if their URLs are long", () => {
    const long = { ...commit("1", "Commit"), url: Option.some(`https://code.example/${"a".repeat(1500)}`) }
    expect(pushed({ commits: Array.from({ length: 8 }, () => long) })?.description).toMatch(/… and 6 more$/)
  })

  it("shows a commit without a link if its URL is invalid", () => {
    const suspicious = { ...commit("1", "Add a"), url: Option.some("javascript:alert(1)") }
    expect(pushed({ commits: [suspicious] })?.description).toBe("`1111111` Add a - mona")
  })

  it("shows only the last commit if its commits existed before", () => {
    expect(pushed({ headCommit: Option.some(commit("b", "Add b")) })).toMatchObject({
      title: "[octo-repo:main] Moved to bbbbbbb",
      url: COMPARE_URL,
      description: `${link("b")} Add b - mona`
    })
  })

  it.each(["abcdef12-", "-abcdef12", "abcdef"])("names no new commit by an invalid commit id: %s", (after) => {
    expect(pushed({ after: Option.some(after) })?.title).toBe("[octo-repo:main] Moved")
  })

  it("has only the name of the branch if the repository is not known", () => {
    const parts = { ref: "refs/heads/feature/x", repository: Option.none(), commits: [commit("1", "Add a")] }
    expect(pushed(parts)?.title).toBe("[feature/x] 1 new commit")
  })

  it.each([`${"0".repeat(40)}1`, `1${"0".repeat(40)}`])("deletes no branch if the new commit is %s", (after) => {
    expect(pushed({ after: Option.some(after) })?.title).toMatch(/Moved/)
  })

  it("has another title when it was forced", () => {
    expect(pushed({ forced: Option.some(true), commits: [commit("b", "Add b")] })).toMatchObject({
      title: "[octo-repo:main] Force-pushed to bbbbbbb",
      url: COMPARE_URL,
      color: COLOUR.attention,
      description: `${link("b")} Add b - mona`
    })
  })

  it("makes no message without a branch", () => {
    expect(posted("push", {})).toBeUndefined()
  })
})

describe("a push of a new branch", () => {
  it("shows the branch and its commits", () => {
    expect(pushed({ ref: "refs/heads/next", created: Option.some(true), commits: [commit("b", "Add b")] }))
      .toMatchObject({
        title: "[octo-org/octo-repo] New branch pushed: next",
        url: `${REPOSITORY_URL}/tree/next`,
        color: COLOUR.good,
        description: `${link("b")} Add b - mona`
      })
  })

  it("is recognised by the zeros before it if the flag is missing", () => {
    expect(pushed({ created: Option.none(), before: Option.some(NO_COMMIT) })?.title)
      .toBe("[octo-org/octo-repo] New branch pushed: main")
  })
})

describe("a push that deletes a branch", () => {
  it("shows the branch", () => {
    expect(pushed({ ref: "refs/heads/old", deleted: Option.some(true), after: Option.some(NO_COMMIT) })).toEqual(
      expect.objectContaining({
        title: "[octo-org/octo-repo] Branch deleted: old",
        url: REPOSITORY_URL,
        color: COLOUR.bad
      })
    )
  })

  it("is recognised by the zeros after it if the flag is missing", () => {
    expect(pushed({ deleted: Option.none(), after: Option.some(NO_COMMIT) })?.title)
      .toBe("[octo-org/octo-repo] Branch deleted: main")
  })
})

describe("a push of a tag", () => {
  it("shows a new tag and its commit", () => {
    expect(pushed({ ref: "refs/tags/v1.0", created: Option.some(true), headCommit: Option.some(commit("b", "Add b")) }))
      .toMatchObject({
        title: "[octo-org/octo-repo] New tag pushed: v1.0",
        url: `${REPOSITORY_URL}/tree/v1.0`,
        description: `${link("b")} Add b - mona`
      })
  })

  it("shows a deleted tag", () => {
    expect(pushed({ ref: "refs/tags/v1.0", deleted: Option.some(true) })?.title)
      .toBe("[octo-org/octo-repo] Tag deleted: v1.0")
  })

  it("shows a moved tag", () => {
    expect(pushed({ ref: "refs/tags/latest", forced: Option.some(true) })).toMatchObject({
      title: "[octo-org/octo-repo] Tag moved: latest to bbbbbbb",
      color: COLOUR.attention
    })
  })
})

describe("a push of another ref", () => {
  it("shows its full name", () => {
    expect(pushed({ ref: "refs/notes/commits" })?.title)
      .toBe("[octo-org/octo-repo] Ref moved: refs/notes/commits to bbbbbbb")
  })
})
