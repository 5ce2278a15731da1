import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { branchAnnouncement } from "../../../src/webhook/code-host/BranchAnnouncement.ts"
import type { CodeHostEvent } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { notification } from "./Notifications.ts"

const announced = (event: CodeHostEvent, parts: Parameters<typeof notification>[0]) =>
  Option.getOrUndefined(branchAnnouncement(event, notification(parts)))

describe("the announcement of a branch or tag", () => {
  it.each(
    [
      ["create", { ref: "a/b", refType: Option.some("branch") }, { ref: "refs/heads/a/b", created: Option.some(true) }],
      ["create", { ref: "v1", refType: Option.some("tag") }, {
        ref: "refs/tags/v1",
        before: Option.some("0".repeat(40))
      }],
      ["delete", { ref: "a/b", refType: Option.some("branch") }, { ref: "refs/heads/a/b", deleted: Option.some(true) }]
    ] as const
  )("pairs %s with its push", (event, own, push) => {
    const first = announced(event, own)
    const second = announced("push", push)
    expect(first?.id).toBeDefined()
    expect([second?.id, second?.counterpart]).toEqual([first?.counterpart, first?.id])
  })

  it("distinguishes changes, kinds, names and repositories", () => {
    const branch = { ref: "v1", refType: Option.some("branch") }
    const other = Option.some({ name: Option.some("other"), fullName: Option.none(), url: Option.none() })
    const ids = [
      announced("create", branch),
      announced("delete", branch),
      announced("create", { ...branch, refType: Option.some("tag") }),
      announced("create", { ...branch, ref: "v2" }),
      announced("create", { ...branch, repository: other }),
      announced("push", { ref: "refs/heads/v1", created: Option.some(true) })
    ].map((each) => each?.id)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(
    [
      ["push", { ref: "refs/heads/main" }],
      ["push", { ref: "refs/heads/main", forced: Option.some(true) }],
      ["push", { ref: "refs/notes/commits", created: Option.some(true) }],
      ["create", { ref: "main", refType: Option.some("repository") }],
      ["create", { ref: " ", refType: Option.some("branch") }],
      ["release", { ref: "v1", refType: Option.some("tag") }],
      ["create", { ref: "x".repeat(2000), refType: Option.some("branch") }],
      ["watch", { action: "started" }]
    ] as const
  )("is not made by %s %j", (event, parts) => {
    expect(announced(event, parts)).toBeUndefined()
  })
})
