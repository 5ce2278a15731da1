import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { shown } from "../Shown.ts"
import { notification, REPOSITORY_URL } from "./Notifications.ts"

const posted = (event: string, parts: Parameters<typeof notification>[0]) =>
  shown(embed(Option.some(event), notification(parts)))

describe("a branch or tag", () => {
  it.each([
    ["create", "branch", "New branch created: a/b", `${REPOSITORY_URL}/tree/a/b`, COLOUR.good],
    ["create", "tag", "New tag created: a/b", `${REPOSITORY_URL}/tree/a/b`, COLOUR.good],
    ["delete", "branch", "Branch deleted: a/b", REPOSITORY_URL, COLOUR.bad],
    ["delete", "tag", "Tag deleted: a/b", REPOSITORY_URL, COLOUR.bad]
  ])("posts on %s of a %s", (event, kind, what, url, colour) => {
    expect(posted(event, { ref: "a/b", refType: Option.some(kind) }))
      .toMatchObject({ title: `[octo-org/octo-repo] ${what}`, url, color: colour })
  })

  it.each(["create", "delete"])("makes no message on %s without a name", (event) => {
    expect(posted(event, { refType: Option.some("branch") })).toBeUndefined()
    expect(posted(event, { ref: "", refType: Option.some("branch") })).toBeUndefined()
    expect(posted(event, { ref: " ", refType: Option.some("tag") })).toBeUndefined()
  })
})

describe("a repository", () => {
  it("posts when it is forked", () => {
    const forkee = Option.some({
      name: Option.some("octo-repo"),
      fullName: Option.some("hubot/octo-repo"),
      url: Option.some("https://code.example/hubot/octo-repo")
    })
    expect(posted("fork", { forkee })).toMatchObject({
      title: "[octo-org/octo-repo] Fork created: hubot/octo-repo",
      url: "https://code.example/hubot/octo-repo",
      color: COLOUR.community
    })
  })

  it("posts when it gets a star", () => {
    expect(posted("watch", { action: "started" })).toMatchObject({
      title: "[octo-org/octo-repo] New star added",
      url: REPOSITORY_URL,
      color: COLOUR.community
    })
  })

  it("makes no message of a watcher who is not new", () => {
    expect(posted("watch", { action: "deleted" })).toBeUndefined()
  })

  it("posts when a collaborator is added to it", () => {
    const member = Option.some({ login: "dependabot[bot]", url: Option.none(), avatarUrl: Option.none() })
    expect(posted("member", { action: "added", member })).toMatchObject({
      title: "[octo-org/octo-repo] New collaborator added: dependabot\\[bot\\]",
      color: COLOUR.community
    })
  })

  it("posts when a collaborator without a name is added to it", () => {
    const member = Option.some({ login: "", url: Option.none(), avatarUrl: Option.none() })
    expect(posted("member", { action: "added", member })?.title).toBe("[octo-org/octo-repo] New collaborator added")
  })

  it.each(["edited", "removed"])("makes no message when a collaborator is %s", (action) => {
    const member = Option.some({ login: "mona", url: Option.none(), avatarUrl: Option.none() })
    expect(posted("member", { action, member })).toBeUndefined()
  })

  it("posts when it becomes public", () => {
    expect(posted("public", {})).toMatchObject({
      title: "[octo-org/octo-repo] Repository is now public",
      url: REPOSITORY_URL,
      color: COLOUR.published
    })
  })

  it("posts when it is created", () => {
    expect(posted("repository", { action: "created" })).toMatchObject({
      title: "[octo-org/octo-repo] Repository created",
      url: REPOSITORY_URL,
      color: COLOUR.good
    })
  })

  it.each(["deleted", "renamed", "privatized"])("makes no message when it is %s", (action) => {
    expect(posted("repository", { action })).toBeUndefined()
  })

  it("may be left out of the notification", () => {
    expect(posted("watch", { action: "started", repository: Option.none() })?.title).toBe("New star added")
  })
})
