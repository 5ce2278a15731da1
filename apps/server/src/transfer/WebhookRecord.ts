import * as Token from "@community-messaging/domain/access/Token"
import { Tokens } from "@community-messaging/domain/access/Tokens"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { optionalField } from "@community-messaging/domain/shared-kernel/OptionalField"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { Webhook, WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { webhookUpdated } from "@community-messaging/domain/webhook/WebhookEvents"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { Effect, Option, type Redacted, Schema, Stream } from "effect"
import { invalid, type InvalidRecord } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/**
 * The record of a webhook: a Webhook of the API with its `token` in plain text, or with `token_digest`, the SHA-256 of
 * the token in hexadecimal digits. Only the digest is stored and exported.
 */
export const WebhookRecord = RecordSchema.make(Schema.Struct({
  ...Webhook.omit("tokenDigest").fields,
  name: WebhookNameFromText,
  token: optionalField(Schema.Redacted(Schema.String.annotations({ message: () => "must be a string" }))),
  tokenDigest: optionalField(Token.TokenDigest)
}))

const same = Schema.equivalence(Webhook)

const digestOf = (
  { token, tokenDigest }: typeof WebhookRecord.Type
): Effect.Effect<Token.TokenDigest, InvalidRecord, Tokens> =>
  Effect.gen(function*() {
    if (Option.isSome(token) && Option.isSome(tokenDigest)) {
      return yield* invalid("token", "must not be set together with token_digest")
    }
    if (Option.isSome(tokenDigest)) return tokenDigest.value
    if (Option.isNone(token)) return yield* invalid("token", "is required when token_digest is not set")
    const digest = (yield* Tokens).digest("webhook", token.value)
    return yield* Option.match(digest, {
      onSome: Effect.succeed,
      onNone: () =>
        invalid("token", `is not a webhook token: ${Token.PREFIX.webhook}, 43 random characters, a checksum`)
    })
  })

const save = (record: typeof WebhookRecord.Type) =>
  Effect.gen(function*() {
    const avatars = yield* AvatarStore
    const webhooks = yield* WebhookRepository
    const events = yield* EventLog
    const references = yield* References.References
    const { avatar, channelId, guildId, id, name } = record
    yield* References.requireAll([
      references.channelOf("channel_id", channelId, guildId),
      References.whenGiven(avatar, (hash) => References.exists("avatar", `avatar ${hash}`, avatars.find(hash)))
    ])
    const webhook: Webhook = { id, guildId, channelId, name, avatar, tokenDigest: yield* digestOf(record) }
    return yield* RecordKind.outcome(yield* webhooks.find(id), webhook, same, () =>
      Effect.zipRight(
        webhooks.save(webhook),
        events.append(webhookUpdated(webhook))
      ))
  })

/** The record kind of webhooks. */
export const kind = RecordKind.make({
  kind: "webhook",
  schema: WebhookRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(
    WebhookRepository,
    ({ list }) =>
      Stream.map(RecordKind.pages(list, ({ id }) => id), ({ tokenDigest, ...webhook }) => ({
        ...webhook,
        token: Option.none<Redacted.Redacted>(),
        tokenDigest: Option.some(tokenDigest)
      }))
  )
})
