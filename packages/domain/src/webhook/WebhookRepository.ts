import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ChannelId } from "../guild/Channel.ts"
import type { GuildId } from "../guild/Guild.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { WebhookId } from "../shared-kernel/WebhookId.ts"
import type { Announcement } from "./Announcement.ts"
import type { Webhook, WebhookProfile } from "./Webhook.ts"

/** A channel, or all channels of a guild. */
export type WebhookPlace = { readonly channelId: ChannelId } | { readonly guildId: GuildId }

/** Port: stores webhooks, the ids of their deliveries, and announcements. */
export class WebhookRepository extends Context.Tag("@community-messaging/domain/WebhookRepository")<WebhookRepository, {
  readonly find: (id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
  /** Inserts or updates the webhook. Its channel must exist. */
  readonly save: (webhook: Webhook) => Effect.Effect<void, StorageError>
  /** Removes the webhook, its deliveries and its announcements. Does nothing if the webhook does not exist. */
  readonly remove: (id: WebhookId) => Effect.Effect<void, StorageError>
  /** Returns webhooks ordered by id, starting after `after`; with `within`, only those there. */
  readonly list: (options: {
    readonly after: Option.Option<WebhookId>
    readonly limit: number
    readonly within?: WebhookPlace
  }) => Effect.Effect<ReadonlyArray<Webhook>, StorageError>
  /**
   * Records the delivery, unless the webhook was removed or has another token by now. Returns the webhook's present name and
   * avatar if the delivery is recorded and the webhook has not received the same one after `seenSince` (exclusive). Repeated
   * deliveries are recorded too. If several callers record the same delivery, exactly one gets them.
   */
  readonly recordDelivery: (options: {
    readonly webhook: Pick<Webhook, "id" | "tokenDigest">
    readonly deliveryId: string
    readonly receivedAt: DateTime.Utc
    readonly seenSince: DateTime.Utc
  }) => Effect.Effect<Option.Option<WebhookProfile>, StorageError>
  /**
   * Records the announcement of a change. Returns false if its counterpart was recorded after `announcedSince`
   * (exclusive) and has no other announcement yet: the two are then a pair, and both are forgotten. An announcement that
   * is recorded again before its counterpart replaces the earlier one. If several callers record the two announcements of
   * a change, exactly one of each pair gets true.
   */
  readonly recordAnnouncement: (options: {
    readonly webhookId: WebhookId
    readonly announcement: Announcement
    readonly announcedAt: DateTime.Utc
    readonly announcedSince: DateTime.Utc
  }) => Effect.Effect<boolean, StorageError>
  /** Removes up to `limit` deliveries and announcements recorded at or before this moment. Returns the count. */
  readonly forgetDeliveries: (until: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
}>() {}
