import { Schema } from "effect"
import { TokenDigest } from "../access/Token.ts"
import { ChannelId } from "../guild/Channel.ts"
import { GuildId } from "../guild/Guild.ts"
import { codePointsBetween } from "../shared-kernel/CodePointLength.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { AvatarHash } from "./Avatar.ts"

/**
 * Removes control characters from a display name, also those that reorder the text around them, and trims it. The result is
 * empty if nothing in it is visible; blank braille (U+2800) is not.
 */
export const cleanName = (name: string): string => {
  const cleaned = name.replace(/[\u2028\u2029]/g, " ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "").trim()
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(cleaned) ? cleaned : ""
}

/** The display name of a webhook: 1 to 80 characters, trimmed, no control characters. */
export const WebhookName = Schema.String.pipe(
  // Not `cleanName`: stored names may be older than its other rules.
  Schema.filter((name) => !/\p{Cc}/u.test(name) && name.trim() === name, {
    message: () => "must not have control characters, and must not start or end with white space"
  }),
  codePointsBetween(1, 80),
  Schema.brand("WebhookName")
)
export type WebhookName = typeof WebhookName.Type

/** A display name from user input: it is cleaned. */
export const WebhookNameFromText = Schema.compose(
  Schema.transform(Schema.String, Schema.String, { strict: true, decode: cleanName, encode: (name) => name }),
  WebhookName
)

/** A webhook: third parties that have its token can post messages in its channel. Source: API reference, Webhook. */
export const Webhook = Schema.Struct({
  id: WebhookId,
  guildId: GuildId,
  channelId: ChannelId,
  name: WebhookName,
  avatar: optionalField(AvatarHash),
  tokenDigest: TokenDigest
}).annotations({ identifier: "Webhook" })
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** The author of a webhook's messages, as readers see it. */
export type WebhookProfile = Pick<Webhook, "name" | "avatar">

/** The webhook does not exist. */
export class UnknownWebhook extends Schema.TaggedError<UnknownWebhook>()("UnknownWebhook", { webhookId: WebhookId }) {
  override get message(): string {
    return `There is no webhook ${this.webhookId}.`
  }
}

/** The token is not the webhook's token. */
export class WebhookTokenMismatch
  extends Schema.TaggedError<WebhookTokenMismatch>()("WebhookTokenMismatch", { webhookId: WebhookId })
{
  override get message(): string {
    return `The token is not that of webhook ${this.webhookId}.`
  }
}
