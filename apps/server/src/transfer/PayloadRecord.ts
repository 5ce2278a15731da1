import { MessagePayloadResource } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { Int32 } from "@community-messaging/http-adapter/wire/WireType"
import { Schema } from "effect"
import { optional, withDefault } from "./RecordField.ts"

/** The content of a message in a record: that of the API, but `content` and `flags` may be missing. */
export const PayloadRecord = Schema.Struct({
  ...MessagePayloadResource.fields,
  content: optional(Schema.String),
  flags: withDefault(Int32, () => 0)
})
