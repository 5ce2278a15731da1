import { DateTime, Effect, Either, Option, type Redacted, Schema } from "effect"
import { digestsEqual } from "../access/Token.ts"
import { Tokens } from "../access/Tokens.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { AuditActor } from "../audit/AuditRecord.ts"
import { ChannelId } from "../guild/Channel.ts"
import { GuildRepository } from "../guild/GuildRepository.ts"
import type { Embed } from "../message/Embed.ts"
import { type Message, MessageId } from "../message/Message.ts"
import { MessageCreated } from "../message/MessageEvents.ts"
import { AllowedMentions, MessagePayload } from "../message/MessagePayload.ts"
import { MessageRepository } from "../message/MessageRepository.ts"
import { Digest } from "../shared-kernel/Digest.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { WebhookId } from "../shared-kernel/WebhookId.ts"
import { ANNOUNCEMENT_MEMORY } from "./Announcement.ts"
import * as Avatar from "./Avatar.ts"
import { AvatarStore } from "./AvatarStore.ts"
import { type Delivery, DELIVERY_MEMORY, type NotPosted } from "./Delivery.ts"
import { ImageInspector, type ImageInspectorBusy } from "./ImageInspector.ts"
import { UnknownWebhook, type Webhook, type WebhookName, type WebhookProfile, WebhookTokenMismatch } from "./Webhook.ts"
import { webhookDeleted, webhookUpdated } from "./WebhookEvents.ts"
import { WebhookRepository } from "./WebhookRepository.ts"

/** The maximum length of a delivery id that is stored as it is. Senders use UUIDs; a header may have 16 KiB. */
const MAX_STORED_DELIVERY_ID = 255

/** The channel does not exist. */
export class UnknownChannel extends Schema.TaggedError<UnknownChannel>()("UnknownChannel", { channelId: ChannelId }) {
  override get message(): string {
    return `There is no channel ${this.channelId}.`
  }
}

/** The use cases of webhooks. Most callers authenticate with the webhook's token. */
export class Webhooks extends UseCase<Webhooks, {
  /** Returns the webhook if the token is its token. */
  readonly authenticate: (
    webhookId: WebhookId,
    token: Redacted.Redacted
  ) => Effect.Effect<Webhook, UnknownWebhook | WebhookTokenMismatch | StorageError>
  /** Creates a webhook for a channel. Its token cannot be read again later. */
  readonly create: (
    options: { readonly channelId: ChannelId; readonly name: WebhookName },
    actor: AuditActor
  ) => Effect.Effect<
    { readonly webhook: Webhook; readonly token: Redacted.Redacted },
    UnknownChannel | StorageError
  >
  /**
   * Replaces the token. The old token stops working at once, also for requests in progress that it authenticated. The new
   * token cannot be read again later.
   */
  readonly rotateToken: (
    webhookId: WebhookId,
    actor: AuditActor
  ) => Effect.Effect<
    { readonly webhook: Webhook; readonly token: Redacted.Redacted },
    UnknownWebhook | StorageError
  >
  /**
   * Removes the webhook with its deliveries, and its avatar if nothing else refers to it. Its token stops working at once,
   * also for requests in progress. Its messages stay, with the name and avatar that they were posted with.
   */
  readonly remove: (webhookId: WebhookId, actor: AuditActor) => Effect.Effect<Webhook, UnknownWebhook | StorageError>
  /**
   * Changes name and avatar: missing values stay unchanged, none removes the avatar, and an update without changes appends
   * no event. `webhook` is the authenticated one: nothing changes if it was removed or got another token since. Source: API
   * reference, Update webhook with token; API gaps, Notifications and webhooks.
   */
  readonly update: (
    webhook: Webhook,
    changes: { readonly name: Option.Option<WebhookName>; readonly avatar?: Option.Option<Uint8Array> | undefined }
  ) => Effect.Effect<
    Webhook,
    | UnknownWebhook
    | WebhookTokenMismatch
    | Avatar.InvalidAvatarImage
    | ImageInspectorBusy
    | StorageError
  >
  /** Returns whether the bytes are the avatar of the webhook, so that an update with them would not change it. */
  readonly hasAvatar: (webhook: Webhook, bytes: Uint8Array) => boolean
  /**
   * Posts the embed, in one transaction with its event. Posts nothing if there is no embed, if the delivery was seen in
   * the last 24 hours, or if another notification announced the same change in the last minute. `webhook` is the
   * authenticated one: the message has the name and avatar that the webhook has when the message is stored, and nothing is
   * posted if the webhook was removed or got another token since. Source: API reference, Execute code-hosting webhook and
   * Execute error-tracking webhook; API gaps, Notifications and webhooks.
   */
  readonly post: (
    webhook: Webhook,
    delivery: Delivery
  ) => Effect.Effect<Either.Either<Message, NotPosted>, UnknownWebhook | WebhookTokenMismatch | StorageError>
  /** Forgets up to `limit` deliveries and announcements seen 24 hours ago or earlier; returns the count. */
  readonly forgetDeliveries: (limit: number) => Effect.Effect<number, StorageError>
}>()(
  "@community-messaging/domain/Webhooks",
  Effect.gen(function*() {
    const webhooks = yield* WebhookRepository
    const guilds = yield* GuildRepository
    const messages = yield* MessageRepository
    const avatars = yield* AvatarStore
    const images = yield* ImageInspector
    const events = yield* EventLog
    const audit = yield* AuditLog
    const snowflakes = yield* SnowflakeGenerator
    const { atomically, lock, share } = yield* UnitOfWork
    const tokens = yield* Tokens
    const { sha256Hex } = yield* Digest

    const existing = (webhookId: WebhookId) =>
      Effect.flatMap(webhooks.find(webhookId), Either.fromOption(() => new UnknownWebhook({ webhookId })))

    const inspect = (
      bytes: Uint8Array
    ): Effect.Effect<Avatar.Avatar, Avatar.InvalidAvatarImage | ImageInspectorBusy> =>
      bytes.length > Avatar.MAX_AVATAR_BYTES
        ? Effect.fail(new Avatar.InvalidAvatarImage())
        : Effect.map(images.inspect(bytes), (image) => ({
          ...image,
          hash: Avatar.hash(sha256Hex(bytes), image),
          bytes
        }))

    const hasAvatar = ({ avatar }: Webhook, bytes: Uint8Array): boolean =>
      bytes.length <= Avatar.MAX_AVATAR_BYTES &&
      Option.exists(avatar, (hash) => Avatar.hasHash(sha256Hex(bytes), hash))

    /** Returns the stored webhook if it still has the token that authenticated the caller. */
    const stillOpen = (authenticated: Webhook) =>
      Effect.filterOrFail(
        existing(authenticated.id),
        ({ tokenDigest }) => tokenDigest === authenticated.tokenDigest,
        () => new WebhookTokenMismatch({ webhookId: authenticated.id })
      )

    /** Locks the webhook and changes it. Stores the new avatar, if there is one. */
    const save = Effect.fnUntraced(function*(
      authenticated: Webhook,
      image: Option.Option<Avatar.Avatar>,
      change: (webhook: Webhook) => Webhook
    ) {
      yield* lock({ kind: "webhook", id: authenticated.id })
      if (Option.isSome(image)) yield* avatars.put(image.value)
      const before = yield* stillOpen(authenticated)
      const after = change(before)
      const unchanged = after.name === before.name &&
        Option.getOrUndefined(after.avatar) === Option.getOrUndefined(before.avatar)
      if (unchanged) return before
      yield* webhooks.save(after)
      yield* events.append(webhookUpdated(after))
      return after
    })

    /** A long id is stored as its digest, because a database cannot index texts of any length. */
    const storedId = (deliveryId: string): string =>
      deliveryId.length <= MAX_STORED_DELIVERY_ID ? deliveryId : sha256Hex(deliveryId)

    return {
      authenticate: Effect.fnUntraced(function*(webhookId, token) {
        const webhook = yield* existing(webhookId)
        const digest = Option.getOrUndefined(tokens.digest("webhook", token))
        return digest !== undefined && digestsEqual(digest, webhook.tokenDigest)
          ? webhook
          : yield* new WebhookTokenMismatch({ webhookId })
      }, traced("Webhooks.authenticate")),
      create: Effect.fnUntraced(
        function*({ channelId, name }, actor) {
          const channel = Option.getOrUndefined(yield* guilds.findChannel(channelId))
          if (channel === undefined) return yield* new UnknownChannel({ channelId })
          const { digest, token } = yield* tokens.generate("webhook")
          const webhook: Webhook = {
            id: toId(WebhookId, yield* snowflakes.next),
            guildId: channel.guildId,
            channelId,
            name,
            avatar: Option.none(),
            tokenDigest: digest
          }
          yield* webhooks.save(webhook)
          yield* events.append(webhookUpdated(webhook))
          yield* audit.append({
            actor,
            action: "webhook.create",
            targetId: webhook.id,
            at: yield* DateTime.now,
            before: {},
            after: { name, channel_id: channelId }
          })
          return { webhook, token }
        },
        atomically,
        traced("Webhooks.create")
      ),
      rotateToken: Effect.fnUntraced(
        function*(webhookId, actor) {
          yield* lock({ kind: "webhook", id: webhookId })
          const before = yield* existing(webhookId)
          const { digest, token } = yield* tokens.generate("webhook")
          const webhook: Webhook = { ...before, tokenDigest: digest }
          yield* webhooks.save(webhook)
          yield* audit.append({
            actor,
            action: "webhook.rotate_token",
            targetId: webhookId,
            at: yield* DateTime.now,
            before: {},
            after: {}
          })
          return { webhook, token }
        },
        atomically,
        traced("Webhooks.rotateToken")
      ),
      remove: Effect.fnUntraced(
        function*(webhookId, actor) {
          yield* lock({ kind: "webhook", id: webhookId })
          const webhook = yield* existing(webhookId)
          yield* webhooks.remove(webhookId)
          yield* events.append(webhookDeleted(webhook))
          yield* audit.append({
            actor,
            action: "webhook.delete",
            targetId: webhookId,
            at: yield* DateTime.now,
            before: { name: webhook.name, channel_id: webhook.channelId },
            after: {}
          })
          return webhook
        },
        atomically,
        traced("Webhooks.remove")
      ),
      update: Effect.fnUntraced(function*(webhook, { avatar, name }) {
        const given = avatar ?? Option.none()
        // An avatar that the webhook has by now is not inspected again.
        const current = Option.isSome(given) ? yield* stillOpen(webhook) : webhook
        const isKept = avatar === undefined || Option.exists(given, (bytes) => hasAvatar(current, bytes))
        const image = isKept ? Option.none() : yield* Effect.transposeMapOption(given, inspect)
        return yield* atomically(save(webhook, image, (stored) => ({
          ...stored,
          name: Option.getOrElse(name, () => stored.name),
          avatar: isKept ? stored.avatar : Option.map(image, ({ hash }) => hash)
        })))
      }, traced("Webhooks.update")),
      hasAvatar,
      post: Effect.fnUntraced(
        function*(webhook, { announcement, deliveryId, embed }) {
          // Other units may post at the same time, but none replaces the token or removes the webhook before the commit.
          yield* share({ kind: "webhook", id: webhook.id })
          const now = yield* DateTime.now
          // Recording a delivery also checks the token, which is nearly always unchanged: one statement instead of two.
          const recorded = Option.isNone(deliveryId) ? Option.none() : yield* webhooks.recordDelivery({
            webhook,
            deliveryId: storedId(deliveryId.value),
            receivedAt: now,
            seenSince: DateTime.subtractDuration(now, DELIVERY_MEMORY)
          })
          const profile: WebhookProfile = Option.getOrUndefined(recorded) ?? (yield* stillOpen(webhook))
          if (Option.isSome(deliveryId) && Option.isNone(recorded)) return notPosted("duplicate delivery")
          if (Either.isLeft(embed)) return notPosted(embed.left)
          if (Option.isSome(announcement)) {
            const first = yield* webhooks.recordAnnouncement({
              webhookId: webhook.id,
              announcement: announcement.value,
              announcedAt: now,
              announcedSince: DateTime.subtractDuration(now, ANNOUNCEMENT_MEMORY)
            })
            if (!first) return notPosted("announced twice")
          }
          const message = postedBy(webhook, profile, toId(MessageId, yield* snowflakes.next), embed.right, now)
          yield* messages.insert(message)
          yield* events.append(MessageCreated.of({ message }))
          return Either.right(message)
        },
        atomically,
        traced("Webhooks.post")
      ),
      forgetDeliveries: (limit) =>
        Effect.flatMap(
          DateTime.now,
          (now) => webhooks.forgetDeliveries(DateTime.subtractDuration(now, DELIVERY_MEMORY), limit)
        )
    }
  })
) {}

const notPosted = (reason: NotPosted): Either.Either<never, NotPosted> => Either.left(reason)

/** No mention notifies anyone (API gaps, Notifications and webhooks). */
const WITHOUT_MENTIONS = MessagePayload.make({
  content: Option.some(""),
  allowedMentions: Option.some(AllowedMentions.make({ parse: Option.some([]) }))
})

/** The message of a webhook: one embed, which is already validated. */
const postedBy = (
  { channelId, guildId, id: webhookId }: Webhook,
  { avatar, name }: WebhookProfile,
  id: MessageId,
  embed: Embed,
  now: DateTime.Utc
): Message => ({
  id,
  channelId,
  guildId,
  author: { _tag: "Webhook", webhookId, name, avatar },
  payload: { ...WITHOUT_MENTIONS, embeds: Option.some([embed]) },
  createdAt: now
})
