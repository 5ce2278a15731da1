import { MessagePayload } from "@community-messaging/domain/message/MessagePayload"
import * as MessagePayloadResource from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { Int32 } from "@community-messaging/http-adapter/wire/WireType"
import { Option, Schema } from "effect"
import { optional, withDefault } from "./RecordField.ts"

/** The content of a message in a record: that of the API, but `content` and `flags` may be missing. */
export const PayloadRecord = Schema.transform(
  Schema.Struct({
    ...MessagePayloadResource.MessagePayloadResource.fields,
    content: optional(Schema.String),
    flags: withDefault(Int32, () => 0)
  }),
  Schema.typeSchema(MessagePayload),
  {
    strict: true,
    decode: ({ content, ...others }) =>
      MessagePayloadResource.toEntity({ ...others, content: Option.getOrNull(content) }),
    encode: (payload) => ({ ...MessagePayloadResource.fromEntity(payload), content: payload.content })
  }
)
