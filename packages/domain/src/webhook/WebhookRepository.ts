import { Context, type DateTime, type Effect, type Option } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { WebhookId } from "../shared-kernel/WebhookId.ts"
import type { Webhook } from "./Webhook.ts"

/** Port: the webhooks, and which deliveries they have seen. */
export class WebhookRepository extends Context.Tag("@community-messaging/domain/WebhookRepository")<WebhookRepository, {
  readonly find: (id: WebhookId) => Effect.Effect<Option.Option<Webhook>, StorageError>
  /** Inserts or updates the webhook. Its channel exists. */
  readonly save: (webhook: Webhook) => Effect.Effect<void, StorageError>
  /** Webhooks in the order of their ids, beginning after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<WebhookId>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Webhook>, StorageError>
  /**
   * Records the delivery; true when the webhook has not seen it since `seenSince` (exclusive: a sighting at that very
   * moment is forgotten). A repetition is a sighting too. Of several callers with the same delivery one alone is told
   * true.
   */
  readonly recordDelivery: (options: {
    readonly webhookId: WebhookId
    readonly deliveryId: string
    readonly receivedAt: DateTime.Utc
    readonly seenSince: DateTime.Utc
  }) => Effect.Effect<boolean, StorageError>
  /** Forgets deliveries received at or before that moment, at most `limit`; returns the count. */
  readonly forgetDeliveries: (until: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
}>() {}
