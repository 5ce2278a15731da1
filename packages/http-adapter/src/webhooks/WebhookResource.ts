import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Option, Schema } from "effect"
import { nullable, Snowflake } from "../wire/WireType.ts"

/** A webhook, for callers that have its token. Source: API reference, Webhook. */
export const WebhookResource = Schema.Struct({
  id: Snowflake,
  guild_id: Snowflake,
  channel_id: Snowflake,
  name: Schema.String.annotations({ description: "The display name." }),
  token: Schema.String.annotations({ description: "The secret token of the webhook." }),
  avatar: nullable(Schema.String).annotations({ description: "The hash of the avatar image." })
}).annotations({ identifier: "Webhook", description: "A webhook." })
export interface WebhookResource extends Schema.Schema.Type<typeof WebhookResource> {}

/**
 * Converts a webhook to its resource. The token is the one that the caller presented, because only its digest is stored
 * (API gaps, Credentials).
 */
export const fromEntity = (webhook: Webhook, token: string): WebhookResource => ({
  id: webhook.id,
  guild_id: webhook.guildId,
  channel_id: webhook.channelId,
  name: webhook.name,
  token,
  avatar: Option.getOrNull(webhook.avatar)
})
