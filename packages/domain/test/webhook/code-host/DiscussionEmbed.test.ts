import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { comment, discussion, posted, REPOSITORY_URL } from "./Notifications.ts"

describe("a discussion", () => {
  it("posts when it is created", () => {
    expect(posted("discussion", { action: "created", discussion })).toMatchObject({
      title: "[octo-org/octo-repo] New discussion: #9 What next?",
      url: `${REPOSITORY_URL}/discussions/9`,
      color: COLOUR.good,
      description: "Ideas, please.",
      fields: [{ name: "Category", value: "Ideas", inline: true }]
    })
  })

  it("posts with its answer when it is answered", () => {
    const parts = { action: "answered", discussion, answer: comment }
    expect(posted("discussion", parts)).toMatchObject({
      title: "[octo-org/octo-repo] Discussion answered: #9 What next?",
      url: `${REPOSITORY_URL}/issues/7#issuecomment-1`,
      color: COLOUR.done,
      description: "Looks *good* to me",
      fields: [{ name: "Answered by", value: "mona", inline: true }]
    })
  })

  it("links to the answer that it names if the answer itself is missing", () => {
    const answered = { ...discussion, answer_html_url: `${REPOSITORY_URL}/discussions/9#answer` }
    expect(posted("discussion", { action: "answered", discussion: answered })?.url)
      .toBe(`${REPOSITORY_URL}/discussions/9#answer`)
  })

  it("links to itself if the notification has no answer", () => {
    const { description, url } = posted("discussion", { action: "answered", discussion }) ?? {}
    expect([url, description]).toEqual([`${REPOSITORY_URL}/discussions/9`, undefined])
  })
})
