import { Schema } from "effect"
import { ChannelId } from "../guild/Channel.ts"
import { GuildId } from "../guild/Guild.ts"
import { event } from "../shared-kernel/Event.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PARTS_CHECKED } from "../shared-kernel/PartsChecked.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { AvatarHash } from "./Avatar.ts"
import type { Webhook } from "./Webhook.ts"

/** A webhook was made or changed. */
export const WebhookUpdated = event("webhook.updated", {
  webhookId: WebhookId,
  guildId: GuildId,
  channelId: ChannelId,
  name: Schema.String,
  avatar: optionalField(AvatarHash)
})

/** The event of a webhook that was made or changed. The webhook is checked already. */
export const webhookUpdated = ({ avatar, channelId, guildId, id, name }: Webhook): typeof WebhookUpdated.Type =>
  WebhookUpdated.make({ version: 1, webhookId: id, guildId, channelId, name, avatar }, PARTS_CHECKED)
