import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { posted, REPOSITORY_URL } from "./Notifications.ts"

describe("a branch or tag", () => {
  it.each(
    [
      ["create", "branch", "New branch created: a/b", `${REPOSITORY_URL}/tree/a/b`, COLOUR.good],
      ["create", "tag", "New tag created: a/b", `${REPOSITORY_URL}/tree/a/b`, COLOUR.good],
      ["delete", "branch", "Branch deleted: a/b", REPOSITORY_URL, COLOUR.bad],
      ["delete", "tag", "Tag deleted: a/b", REPOSITORY_URL, COLOUR.bad]
    ] as const
  )("posts on %s of a %s", (event, kind, what, url, colour) => {
    expect(posted(event, { ref: "a/b", ref_type: kind }))
      .toMatchObject({ title: `[octo-org/octo-repo] ${what}`, url, color: colour })
  })

  it.each(["create", "delete"] as const)("makes no message on %s without a name", (event) => {
    expect(posted(event, { ref_type: "branch" })).toBeUndefined()
    expect(posted(event, { ref: "", ref_type: "branch" })).toBeUndefined()
    expect(posted(event, { ref: " ", ref_type: "tag" })).toBeUndefined()
  })

  it.each(["create", "delete"] as const)("makes no message on %s of something else", (event) => {
    expect(posted(event, { ref: "a", ref_type: "repository" })).toBeUndefined()
    expect(posted(event, { ref: "a" })).toBeUndefined()
  })
})

const member = (login: string) => ({
  action: "added",
  member: { login, html_url: null }
})

const forkee = {
  name: "octo-repo",
  full_name: "hubot/octo-repo",
  html_url: "https://code.example/hubot/octo-repo"
}

describe("a repository", () => {
  it.each(
    [
      ["fork", { forkee }, "Fork created: hubot/octo-repo", "https://code.example/hubot/octo-repo", COLOUR.community],
      ["watch", { action: "started" }, "New star added", REPOSITORY_URL, COLOUR.community],
      ["member", member("a[bot]"), "New collaborator added: a\\[bot\\]", undefined, COLOUR.community],
      ["member", member(""), "New collaborator added", undefined, COLOUR.community],
      ["public", {}, "Repository is now public", REPOSITORY_URL, COLOUR.published],
      ["repository", { action: "created" }, "Repository created", REPOSITORY_URL, COLOUR.good]
    ] as const
  )("posts on %s %j", (event, parts, what, expectedUrl, colour) => {
    const { color, title, url } = posted(event, parts) ?? {}
    expect([title, url, color]).toEqual([`[octo-org/octo-repo] ${what}`, expectedUrl, colour])
  })

  it("may be left out of the notification", () => {
    expect(posted("watch", { action: "started", repository: null })?.title).toBe("New star added")
  })
})
