import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { Embed } from "@community-messaging/domain/message/Embed"
import type { Delivery } from "@community-messaging/domain/webhook/Delivery"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Either, Option } from "effect"

/** Where notifications are posted. */
export const GUILD_ID = GuildId.make("1000000000000000001")
export const OWNER_ID = UserId.make("1000000000000000002")
export const CHANNEL_ID = ChannelId.make("1000000000000000003")
export const WEBHOOK_NAME = WebhookName.make("builds")

/** Rendered once, like the rows of the raw loop: the benchmark measures storage alone. */
const EMBED = Embed.make({
  type: Option.some("rich"),
  url: Option.some("https://code.example/analytical/engine/pull/1"),
  title: Option.some("[analytical/engine] Pull request opened: #1 Compute Bernoulli numbers in one pass"),
  description: Option.some(
    "The seventh number came out wrong when the carry was not propagated before the next turn of the mill. This " +
      "propagates it, and adds the table of the first twenty as a test."
  ),
  color: Option.some(0x23_86_36),
  author: Option.some({
    name: Option.some("ada"),
    url: Option.some("https://code.example/ada"),
    iconUrl: Option.some("https://code.example/avatars/ada"),
    proxyIconUrl: Option.none()
  })
})

/** A code host's notification of a pull request, with its own delivery id. */
export const delivery = (number: number): Delivery => ({
  deliveryId: Option.some(`72d3162e-cc78-11e3-81ab-${String(number).padStart(12, "0")}`),
  embed: Either.right(EMBED),
  announcement: Option.none()
})
