import { Schema } from "effect"
import { TokenDigest } from "../access/Token.ts"
import { ChannelId } from "../guild/Channel.ts"
import { GuildId } from "../guild/Guild.ts"
import { codePointsBetween } from "../shared-kernel/CodePointLength.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { AvatarHash } from "./Avatar.ts"

/** A display name as it is kept: without control characters, trimmed. */
export const cleanName = (name: string): string => name.replace(/\p{Cc}/gu, "").trim()

/** The display name of a webhook: 1 to 80 characters, without control characters, trimmed. */
export const WebhookName = Schema.String.pipe(
  Schema.filter((name) => cleanName(name) === name, {
    message: () => "must have no control characters and no white space around it"
  }),
  codePointsBetween(1, 80),
  Schema.brand("WebhookName")
)
export type WebhookName = typeof WebhookName.Type

/** A display name as somebody wrote it: control characters and white space around it are removed. */
export const WebhookNameFromText = Schema.compose(
  Schema.transform(Schema.String, Schema.String, { strict: true, decode: cleanName, encode: (name) => name }),
  WebhookName
)

/** A door through which third parties post into a channel, opened by its token. Source: API reference, Webhook. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  guildId: GuildId,
  channelId: ChannelId,
  name: WebhookName,
  avatar: optionalField(AvatarHash),
  tokenDigest: TokenDigest
}).annotations({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** No such webhook. */
export class UnknownWebhook extends Schema.TaggedError<UnknownWebhook>()("UnknownWebhook", { webhookId: WebhookId }) {}

/** The token does not fit the webhook. */
export class WebhookTokenMismatch
  extends Schema.TaggedError<WebhookTokenMismatch>()("WebhookTokenMismatch", { webhookId: WebhookId })
{}
