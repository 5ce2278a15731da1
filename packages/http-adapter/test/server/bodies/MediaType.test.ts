import * as MediaType from "@community-messaging/http-adapter/server/bodies/MediaType"
import { Option } from "effect"
import { describe, expect, it } from "vitest"

const isJson = (header: string): boolean => Option.exists(MediaType.parse(header), MediaType.isJson)

describe("A media type", () => {
  it("has a type in lower case, and parameters with names in lower case, without spaces and quotes around them", () => {
    const { essence, parameters } = Option.getOrThrow(
      MediaType.parse(" Text/HTML ; Charset = \"UTF-8\" ;q= a\"b\"c ; flag")
    )
    expect(essence).toBe("text/html")
    expect([...parameters]).toEqual([["charset", "UTF-8"], ["q", "a\"b\"c"]])
  })

  it.each(["", "json", "/json", "application/", "application/json x", "x application/json", "a/b/c"])(
    "is a type and a subtype, and nothing else: %j",
    (header) => expect(MediaType.parse(header)).toEqual(Option.none())
  )

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json; charset=UTF8",
    "application/json; other=utf-16",
    "application/problem+json"
  ])("is JSON in UTF-8: %s", (header) => expect(isJson(header)).toBe(true))

  it.each([
    "application/json; charset=utf-16",
    "application/json; charset=utf-8859",
    "application/json; charset=xutf-8",
    "application/jsonx",
    "application/a+jsonx",
    "text/application/a+json",
    "x-application/a+json",
    "text/a+json",
    "application/+json"
  ])("is not JSON in UTF-8: %s", (header) => expect(isJson(header)).toBe(false))

  it("is a form only if it is that of an HTML form", () => {
    const isForm = (header: string) => Option.exists(MediaType.parse(header), MediaType.isForm)
    expect(isForm("application/x-www-form-urlencoded; charset=utf-8")).toBe(true)
    expect(isForm("multipart/form-data; boundary=x")).toBe(false)
  })
})
