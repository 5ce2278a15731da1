import { describe, expect, it } from "@effect/vitest"
import { codePointLength } from "../../../src/shared-kernel/CodePointLength.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { commit, posted, REPOSITORY_URL } from "./Notifications.ts"

const NO_COMMIT = "0".repeat(40)
const COMPARE_URL = `${REPOSITORY_URL}/compare/aaaaaaa...bbbbbbb`

const pushed = (parts: Parameters<typeof posted>[1]) =>
  posted("push", {
    ref: "refs/heads/main",
    before: "a".repeat(40),
    after: "b".repeat(40),
    created: false,
    deleted: false,
    forced: false,
    compare: COMPARE_URL,
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
      const long = { ...commit("1", "Commit"), url: `https://code.example/${"a".repeat(length)}` }
      const description = pushed({ commits: Array.from({ length: 12 }, () => long) })?.description ?? ""
      expect(codePointLength(description)).toBeLessThanOrEqual(4096)
    }
  })

  it("shows as many commits as there is room for, also if their URLs are long", () => {
    const long = { ...commit("1", "Commit"), url: `https://code.example/${"a".repeat(1500)}` }
    expect(pushed({ commits: Array.from({ length: 8 }, () => long) })?.description).toMatch(/… and 6 more$/)
  })

  it.each(["abcdef12-", "-abcdef12", "abcdef"])("names no new commit by an invalid commit id: %s", (after) => {
    expect(pushed({ after })?.title).toBe("[octo-repo:main] Moved")
  })

  it.each([`${"0".repeat(40)}1`, `1${"0".repeat(40)}`])("deletes no branch if the new commit is %s", (after) => {
    expect(pushed({ after })?.title).toMatch(/Moved/)
  })

  it("makes no message without a branch", () => {
    expect(posted("push", {})).toBeUndefined()
  })
})

const ONE = { commits: [commit("1", "Add a")] }
const LAST = { head_commit: commit("b", "Add b") }
const CREATED = { created: true }
const DELETED = { deleted: true }
const FORCED = { forced: true }
const LAST_SHOWN = { description: `${link("b")} Add b - mona` }

describe("a push", () => {
  it.each<readonly [what: string, parts: Parameters<typeof pushed>[0], message: ReturnType<typeof pushed>]>([
    ["of one commit links to it", ONE, {
      title: "[octo-repo:main] 1 new commit",
      url: `${REPOSITORY_URL}/commit/${"1".repeat(40)}`
    }],
    ["shows the first line of a commit's message only", { commits: [commit("1", "Add a\r\n\r\nBecause of b.")] }, {
      description: `${link("1")} Add a - mona`
    }],
    ["shows a commit without a link if its URL is invalid", {
      commits: [{ ...commit("1", "Add a"), url: "javascript:alert(1)" }]
    }, { description: "`1111111` Add a - mona" }],
    ["of commits that existed before shows the last one", LAST, {
      title: "[octo-repo:main] Moved to bbbbbbb",
      url: COMPARE_URL,
      ...LAST_SHOWN
    }],
    ["to an unknown repository has the branch's name only", {
      ...ONE,
      ref: "refs/heads/feature/x",
      repository: null
    }, { title: "[feature/x] 1 new commit" }],
    ["that was forced has another title", { ...FORCED, commits: [commit("b", "Add b")] }, {
      title: "[octo-repo:main] Force-pushed to bbbbbbb",
      url: COMPARE_URL,
      color: COLOUR.attention,
      ...LAST_SHOWN
    }],
    ["of a new branch shows its commits", { ...CREATED, ref: "refs/heads/next", commits: [commit("b", "Add b")] }, {
      title: "[octo-org/octo-repo] New branch pushed: next",
      url: `${REPOSITORY_URL}/tree/next`,
      color: COLOUR.good,
      ...LAST_SHOWN
    }],
    ["of a new branch is recognised by the zeros before it", {
      created: null,
      before: NO_COMMIT
    }, { title: "[octo-org/octo-repo] New branch pushed: main" }],
    ["that deletes a branch shows it", { ...DELETED, ref: "refs/heads/old", after: NO_COMMIT }, {
      title: "[octo-org/octo-repo] Branch deleted: old",
      url: REPOSITORY_URL,
      color: COLOUR.bad
    }],
    ["that deletes a branch is recognised by the zeros after it", {
      deleted: null,
      after: NO_COMMIT
    }, { title: "[octo-org/octo-repo] Branch deleted: main" }],
    ["of a new tag shows its commit", { ...CREATED, ...LAST, ref: "refs/tags/v1.0" }, {
      title: "[octo-org/octo-repo] New tag pushed: v1.0",
      url: `${REPOSITORY_URL}/tree/v1.0`,
      ...LAST_SHOWN
    }],
    ["that deletes a tag shows it", { ...DELETED, ref: "refs/tags/v1.0" }, {
      title: "[octo-org/octo-repo] Tag deleted: v1.0"
    }],
    ["that moves a tag shows it", { ...FORCED, ref: "refs/tags/latest" }, {
      title: "[octo-org/octo-repo] Tag moved: latest to bbbbbbb",
      color: COLOUR.attention
    }],
    ["of another ref shows its full name", { ref: "refs/notes/commits" }, {
      title: "[octo-org/octo-repo] Ref moved: refs/notes/commits to bbbbbbb"
    }]
  ])("%s", (_, parts, message) => {
    expect(pushed(parts)).toMatchObject(message ?? {})
  })
})
