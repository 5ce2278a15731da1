import * as Saved from "@community-messaging/domain-contract/Saved"
import { useCases } from "@community-messaging/domain-contract/world/World"
import { Credentials } from "@community-messaging/domain/access/Credentials"
import { WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as Mount from "@community-messaging/http-adapter/Mount"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Effect, Layer, Logger, Redacted } from "effect"

const commandLine = { _tag: "CommandLine" } as const

/** The lines of the log. */
export const log: Array<string> = []

const logger = Logger.map(Logger.logfmtLogger, (line) => {
  log.push(line)
})

/** The use cases over a storage in memory, without rate limits. */
export const service = Layer.merge(useCases(1), RateLimits.layerOff).pipe(
  Layer.provideMerge(StorageMemory.layer),
  Layer.provide(Logger.replace(Logger.defaultLogger, logger))
)

/** The API, mounted under `/chat`. */
export const mounted = (options: Partial<Mount.Options> = {}) =>
  Mount.make({ publicUrl: "https://example.org", prefix: "/chat", ...options })

/** A bot in a guild of its own, a webhook, and a key that may read events. */
export const fixtures = Effect.gen(function*() {
  const credentials = yield* Credentials
  const user = yield* Saved.user({ bot: true })
  const guild = yield* Saved.guild({ ownerId: user.id })
  yield* Saved.membership({ guildId: guild.id, userId: user.id })
  const channel = yield* Saved.channel({ guildId: guild.id })
  const hook = yield* (yield* Webhooks).create({ channelId: channel.id, name: WebhookName.make("Builds") }, commandLine)
  const bot = yield* credentials.issueBotToken(user.id, commandLine)
  const admin = yield* credentials.issueAdminKey({ name: "ops", acls: ["events:read"] }, commandLine)
  return {
    guild,
    channel,
    hookPath: `/chat/v1/webhooks/${hook.webhook.id}/${Redacted.value(hook.token)}`,
    bot: { authorization: `Bot ${Redacted.value(bot.token)}`, "content-type": "application/json" },
    admin: { authorization: `Admin ${Redacted.value(admin.token)}` }
  }
})
