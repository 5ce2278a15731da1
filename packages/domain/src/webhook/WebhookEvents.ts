import { Schema } from "effect"
import { ChannelId } from "../guild/Channel.ts"
import { GuildId } from "../guild/Guild.ts"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { AvatarHash } from "./Avatar.ts"
import type { Webhook } from "./Webhook.ts"

/** A webhook was created or changed. */
export const WebhookUpdated = event("webhook.updated", {
  webhookId: WebhookId,
  guildId: GuildId,
  channelId: ChannelId,
  name: Schema.String,
  avatar: optionalField(AvatarHash)
})

/** A webhook was removed. The messages that it posted stay. */
export const WebhookDeleted = event("webhook.deleted", { webhookId: WebhookId, guildId: GuildId, channelId: ChannelId })

/** Makes the event of a webhook that was created or changed. */
export const webhookUpdated = ({ avatar, channelId, guildId, id, name }: Webhook) =>
  WebhookUpdated.of({ webhookId: id, guildId, channelId, name, avatar })

/** Makes the event of a webhook that was removed. */
export const webhookDeleted = ({ channelId, guildId, id }: Webhook) =>
  WebhookDeleted.of({ webhookId: id, guildId, channelId })
