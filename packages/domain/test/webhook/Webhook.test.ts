import { anyCodePoint } from "@community-messaging/domain-contract/CodePoint"
import { describe, expect, it } from "@effect/vitest"
import { assertRight } from "@effect/vitest/utils"
import { Either, FastCheck, Schema } from "effect"
import { cleanName, WebhookName, WebhookNameFromText } from "../../src/webhook/Webhook.ts"

describe("the name of a webhook", () => {
  const isName = Schema.is(WebhookName)

  it.each([["one character", "x"], ["80 characters", "x".repeat(80)], ["80 emoji", "🦊".repeat(80)]])(
    "may have %s",
    (_, name) => {
      expect(isName(name)).toBe(true)
    }
  )

  it.each([
    ["none", ""],
    ["81 characters", "x".repeat(81)],
    ["81 emoji", "🦊".repeat(81)],
    ["white space alone", " \u3000"],
    ["white space around it", " Deploys"],
    ["a control character", "De\u0000ploys"]
  ])(
    "cannot have %s",
    (_, name) => {
      expect(isName(name)).toBe(false)
    }
  )
})

describe("a name from user input", () => {
  const read = Schema.decodeUnknownEither(WebhookNameFromText)

  it("is cleaned", () => {
    assertRight(read(" De\tploys\n"), WebhookName.make("Deploys"))
  })

  it("is invalid if nothing is left of it", () => {
    expect(Either.isLeft(read(" \t"))).toBe(true)
    expect(Either.isLeft(read("\u200b\u00ad"))).toBe(true)
  })

  it("is exported as it was stored, also by an earlier rule", () => {
    const stored = WebhookName.make("a\u202eb")
    assertRight(Schema.encodeEither(WebhookNameFromText)(stored), stored)
  })
})

describe("a cleaned name", () => {
  it.each([
    ["is trimmed", "  Deploys \u3000", "Deploys"],
    ["keeps the spaces within", "Deploys  and  builds", "Deploys  and  builds"],
    ["has no control characters", "De\u0000plo\u001bys\u009f\u007f", "Deploys"],
    ["has no line breaks", "De\r\nploys", "Deploys"],
    ["is trimmed outside and inside of control characters", "\u0000 Deploys \u0000", "Deploys"],
    ["keeps other scripts and emoji", "部署 🦊", "部署 🦊"],
    ["keeps what joins emoji and letters", "👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"],
    ["does not reorder the text around it", "\u202ea\u2066b\u2069", "ab"],
    [
      "has no marks of direction, which reorder the text around them, too",
      "Pay \u200f10\u200e -> 20\u061c",
      "Pay 10 -> 20"
    ],
    ["is on one line", "a\u2028b", "a b"],
    ["may be empty", " \u0000\t ", ""],
    ["is empty if nothing is visible", "\u200b \u00ad", ""],
    ["is empty if it has only blank braille", "\u2800\u2800", ""],
    ["keeps blank braille beside other braille", "\u2803\u2800\u2801", "\u2803\u2800\u2801"]
  ])("%s", (_, name, kept) => {
    expect(cleanName(name)).toBe(kept)
  })

  it.prop("needs no second cleaning", { name: FastCheck.string({ unit: anyCodePoint }) }, ({ name }) => {
    expect(cleanName(cleanName(name))).toBe(cleanName(name))
  })
})
