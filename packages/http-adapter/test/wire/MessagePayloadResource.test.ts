import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import { MessagePayloadInput } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"

const decode = Schema.decodeUnknownSync(MessagePayloadInput)

describe("the content of a message that is given", () => {
  it.each([{}, { content: null }, { flags: 0 }])("has no text and no flags: %j", (given) => {
    expect(decode(given)).toEqual(MessagePayload.make({}))
  })
})
