import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { comment, discussion, issue, posted, pullRequest } from "./Notifications.ts"

const onFile = { ...comment, commit_id: "c".repeat(40), path: "src/a_b.ts" }
const FILE = [{ name: "File", value: "`src/a_b.ts`", inline: false }]
const onIssue = (isPullRequest: boolean) => ({ issue: isPullRequest ? { ...issue, pull_request: {} } : issue })
const onPullRequest = { pull_request: pullRequest }
const onDiscussion = { discussion }

describe("a comment", () => {
  it.each(
    [
      ["commit_comment", {}, "commit ccccccc", FILE],
      ["issue_comment", onIssue(false), "issue #7: It breaks on \\*\\*Tuesdays\\*\\*", undefined],
      ["issue_comment", onIssue(true), "pull request #7: It breaks on \\*\\*Tuesdays\\*\\*", undefined],
      ["discussion_comment", onDiscussion, "discussion #9: What next?", undefined]
    ] as const
  )("posts on %s %j", (event, subject, on, fields) => {
    const { color, description, fields: shownFields, title, url } =
      posted(event, { action: "created", comment: onFile, ...subject }) ?? {}
    expect([title, url, color, description, shownFields]).toEqual([
      `[octo-org/octo-repo] New comment on ${on}`,
      comment.html_url,
      COLOUR.comment,
      "Looks *good* to me",
      fields
    ])
  })

  it("on a line of a pull request posts with its file", () => {
    const parts = { action: "created", comment: onFile, ...onPullRequest }
    expect(posted("pull_request_review_comment", parts)).toMatchObject({
      title: "[octo-org/octo-repo] New review comment on pull request #8: Make it work",
      color: COLOUR.comment,
      fields: FILE
    })
  })
})
