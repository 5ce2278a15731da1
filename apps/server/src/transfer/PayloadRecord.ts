import { optionalField } from "@community-messaging/domain/shared-kernel/OptionalField"
import { MessagePayloadResource } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { Int32 } from "@community-messaging/http-adapter/wire/WireType"
import { Schema } from "effect"

/** The content of a message in a record: that of the API, but `content` and `flags` may be missing. */
export const PayloadRecord = Schema.Struct({
  ...MessagePayloadResource.fields,
  content: optionalField(Schema.String),
  flags: Schema.optionalWith(Int32, { default: () => 0, exact: true })
})
