import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { shown } from "../Shown.ts"
import { comment, notification } from "./Notifications.ts"

const posted = (event: string, parts: Parameters<typeof notification>[0]) =>
  shown(embed(Option.some(event), notification(parts)))

describe("a comment on a commit", () => {
  const commented = { ...comment, commitId: Option.some("c".repeat(40)) }

  it("posts", () => {
    expect(posted("commit_comment", { action: "created", comment: Option.some(commented) })).toMatchObject({
      title: "[octo-org/octo-repo] New comment on commit ccccccc",
      color: COLOUR.comment,
      description: "Looks *good* to me"
    })
  })

  it("names the file that it is about", () => {
    const onFile = Option.some({ ...commented, path: Option.some("src/a_b.ts") })
    expect(posted("commit_comment", { action: "created", comment: onFile })?.fields)
      .toEqual([{ name: "File", value: "`src/a_b.ts`", inline: false }])
  })

  it("posts without an action as well", () => {
    expect(posted("commit_comment", { comment: Option.some(commented) })).toBeDefined()
  })
})
