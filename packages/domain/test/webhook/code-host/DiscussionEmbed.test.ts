import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { shown } from "../Shown.ts"
import { comment, discussion, notification, REPOSITORY_URL } from "./Notifications.ts"

const posted = (event: string, parts: Parameters<typeof notification>[0]) =>
  shown(embed(Option.some(event), notification(parts)))

describe("a discussion", () => {
  it("posts when it is created", () => {
    expect(posted("discussion", { action: "created", discussion: Option.some(discussion) })).toMatchObject({
      title: "[octo-org/octo-repo] New discussion: #9 What next?",
      url: `${REPOSITORY_URL}/discussions/9`,
      color: COLOUR.good,
      description: "Ideas, please.",
      fields: [{ name: "Category", value: "Ideas", inline: true }]
    })
  })

  it("posts with its answer when it is answered", () => {
    const parts = { action: "answered", discussion: Option.some(discussion), answer: Option.some(comment) }
    expect(posted("discussion", parts)).toMatchObject({
      title: "[octo-org/octo-repo] Discussion answered: #9 What next?",
      url: `${REPOSITORY_URL}/issues/7#issuecomment-1`,
      color: COLOUR.done,
      description: "Looks *good* to me",
      fields: [{ name: "Answered by", value: "mona", inline: true }]
    })
  })

  it("links to the answer that it names if the answer itself is missing", () => {
    const answered = { ...discussion, answerUrl: Option.some(`${REPOSITORY_URL}/discussions/9#answer`) }
    expect(posted("discussion", { action: "answered", discussion: Option.some(answered) })?.url)
      .toBe(`${REPOSITORY_URL}/discussions/9#answer`)
  })

  it("links to itself if the notification has no answer", () => {
    const { description, url } = posted("discussion", { action: "answered", discussion: Option.some(discussion) }) ?? {}
    expect([url, description]).toEqual([`${REPOSITORY_URL}/discussions/9`, undefined])
  })

  it.each(["edited", "unanswered", "labeled", "pinned"])("makes no message when it is %s", (action) => {
    expect(posted("discussion", { action, discussion: Option.some(discussion) })).toBeUndefined()
  })

  it("posts when a user comments on it", () => {
    const parts = { action: "created", discussion: Option.some(discussion), comment: Option.some(comment) }
    expect(posted("discussion_comment", parts)).toMatchObject({
      title: "[octo-org/octo-repo] New comment on discussion #9: What next?",
      color: COLOUR.comment
    })
  })

  it.each(["edited", "deleted"])("makes no message when a comment is %s", (action) => {
    const parts = { action, discussion: Option.some(discussion), comment: Option.some(comment) }
    expect(posted("discussion_comment", parts)).toBeUndefined()
  })
})
