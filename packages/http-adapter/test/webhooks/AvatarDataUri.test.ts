import { MAX_AVATAR_BYTES } from "@community-messaging/domain/webhook/Avatar"
import { ofBody } from "@community-messaging/http-adapter/server/Violations"
import { AvatarDataUri, bytesOf, toChange } from "@community-messaging/http-adapter/webhooks/AvatarDataUri"
import { Either, Option, Schema } from "effect"
import { describe, expect, it } from "vitest"

const messagesOf = (text: string) =>
  Either.match(Schema.decodeUnknownEither(AvatarDataUri)(text), {
    onLeft: ({ issue }) => ofBody(issue).map(({ code, message }) => `${code}: ${message}`),
    onRight: () => []
  })

const ofBytes = (length: number) => `data:image/png;base64,${Buffer.alloc(length).toString("base64")}`

describe("The data URI of an avatar", () => {
  it.each([
    "data:image/png;base64,",
    "data:image/png;base64,AAAA",
    "data:image/png;base64,AAA=",
    "data:image/png;base64,AA==",
    "data:image/png;base64,+/09",
    "data:;base64,AAAA",
    "DATA:image/png;name=x;BASE64,AAAA",
    `data:${"x".repeat(255)};base64,AAAA`
  ])("is in base64, with any media type: %s", (text) => expect(messagesOf(text)).toEqual([]))

  it.each([
    "",
    "AAAA",
    "data:image/png,AAAA",
    "data:image/png;base64;AAAA",
    " data:image/png;base64,AAAA",
    `data:${"x".repeat(256)};base64,AAAA`,
    "data:image/png;base64,A",
    "data:image/png;base64,AA",
    "data:image/png;base64,AAA",
    "data:image/png;base64,AA=A",
    "data:image/png;base64,A===",
    "data:image/png;base64,AAAA AAA",
    "data:image/png;base64,AAAA,AAA",
    "data:image/png;base64,AA-A",
    "data:image/png;base64,AA_A",
    "data:image/png;base64,AAAé",
    // Its code unit is that of a letter plus 256.
    "data:image/png;base64,AAA\u0141",
    "data:image/png;base64,AA%3D"
  ])("is refused if it is not complete base64: %s", (text) =>
    expect(messagesOf(text)).toEqual([
      "INVALID_IMAGE_FORMAT: must be a base64 data URI of a PNG, JPEG, GIF, WebP or AVIF image"
    ]))

  it("has at most 10 MiB of bytes, without the padding", () => {
    expect(MAX_AVATAR_BYTES).toBe(10 * 1024 * 1024)
    expect(messagesOf(ofBytes(MAX_AVATAR_BYTES))).toEqual([])
    expect(messagesOf(ofBytes(MAX_AVATAR_BYTES - 1))).toEqual([])
    for (const more of [1, 2, 3]) {
      expect(messagesOf(ofBytes(MAX_AVATAR_BYTES + more))).toEqual([
        "IMAGE_TOO_LARGE: must be an image of at most 10 MiB"
      ])
    }
  })

  it("is decoded after its comma", () => {
    expect(Array.from(bytesOf("data:image/png;base64,AQID"))).toEqual([1, 2, 3])
  })
})

describe("The avatar of an update", () => {
  it("stays if it is missing, is removed if it is null, and is replaced otherwise", () => {
    expect(toChange(undefined)).toBe(undefined)
    expect(toChange(null)).toEqual(Option.none())
    expect(toChange("data:;base64,AQID")).toEqual(Option.some(Buffer.from([1, 2, 3])))
  })
})
