import { arbitrary } from "@community-messaging/domain-contract/Arbitraries"
import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import * as Resource from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { onWire } from "@community-messaging/http-adapter/wire/WireType"
import { it } from "@effect/vitest"
import { Schema } from "effect"
import { describe, expect } from "vitest"

/** Payloads whose times are in years that RFC 3339 has. */
const payloads = arbitrary(MessagePayload)

describe("The resource of a message's payload", () => {
  it.prop("decodes to the payload that it was made from", { payload: payloads }, ({ payload }) => {
    expect(Schema.decodeSync(Resource.MessagePayloadResource)(Resource.fromEntity(payload))).toEqual(payload)
  })

  it.prop("is what its schema describes", { payload: payloads }, ({ payload }) => {
    const resource = Resource.fromEntity(payload)
    expect(Schema.encodeSync(onWire(Resource.MessagePayloadResource))(resource)).toEqual(resource)
  })

  it.prop("has no member without a value except content", { payload: payloads }, ({ payload }) => {
    const { content: _content, ...others } = Resource.fromEntity(payload)
    expect(JSON.stringify(others)).not.toMatch(/:(null|undefined)[,}]/)
  })
})
