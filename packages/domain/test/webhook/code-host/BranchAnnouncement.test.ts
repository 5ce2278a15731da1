import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { delivery } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { notification } from "./Notifications.ts"

const announced = (event: string, parts: Parameters<typeof notification>[0]) =>
  Option.getOrUndefined(delivery({ deliveryId: undefined, event }, notification(parts)).announcement)

describe("the announcement of a branch or tag", () => {
  it.each(
    [
      ["create", { ref: "a/b", ref_type: "branch" }, { ref: "refs/heads/a/b", created: true }],
      ["create", { ref: "v1", ref_type: "tag" }, {
        ref: "refs/tags/v1",
        before: "0".repeat(40)
      }],
      ["delete", { ref: "a/b", ref_type: "branch" }, { ref: "refs/heads/a/b", deleted: true }]
    ] as const
  )("pairs %s with its push", (event, own, push) => {
    const first = announced(event, own)
    const second = announced("push", push)
    expect(first?.id).toBeDefined()
    expect([second?.id, second?.counterpart]).toEqual([first?.counterpart, first?.id])
  })

  it("distinguishes changes, kinds, names and repositories", () => {
    const branch = { ref: "v1", ref_type: "branch" }
    const other = { name: "other" }
    const ids = [
      announced("create", branch),
      announced("delete", branch),
      announced("create", { ...branch, ref_type: "tag" }),
      announced("create", { ...branch, ref: "v2" }),
      announced("create", { ...branch, repository: other }),
      announced("push", { ref: "refs/heads/v1", created: true })
    ].map((each) => each?.id)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(
    [
      ["push", { ref: "refs/heads/main" }],
      ["push", { ref: "refs/heads/main", forced: true }],
      ["push", { ref: "refs/notes/commits", created: true }],
      ["create", { ref: "main", ref_type: "repository" }],
      ["create", { ref: " ", ref_type: "branch" }],
      ["release", { ref: "v1", ref_type: "tag" }],
      ["create", { ref: "x".repeat(2000), ref_type: "branch" }],
      ["watch", { action: "started" }]
    ] as const
  )("is not made by %s %j", (event, parts) => {
    expect(announced(event, parts)).toBeUndefined()
  })
})
