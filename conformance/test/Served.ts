import * as Saved from "@community-messaging/domain-contract/Saved"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { Effect, Option, Redacted } from "effect"
import * as Fixtures from "../../apps/server/test/http/Fixtures.ts"
import { TestServer } from "../../apps/server/test/http/TestServer.ts"

const REDIRECT = "https://app.example.com/callback"

/** What a client needs to call all operations: the address, the credentials and the ids. */
export const community = Effect.gen(function*() {
  const { origin } = yield* TestServer
  const caller = yield* Fixtures.bot
  const guildId = GuildId.make(yield* (yield* SnowflakeGenerator).next)
  yield* Saved.guild({ id: guildId, ownerId: caller.user.id })
  yield* Fixtures.member(guildId, caller.user.id)
  const user = yield* Fixtures.person()
  yield* Fixtures.member(guildId, user.id)
  const admin = yield* Fixtures.adminKey("*")
  const { token, webhook } = yield* Fixtures.webhook
  const bot = yield* Fixtures.person({ bot: true })
  const application = yield* Fixtures.application([REDIRECT], Option.some(bot.id))
  yield* Fixtures.scheduledMessage(caller.user.id)
  return {
    BASE_URL: origin,
    BOT_TOKEN: Redacted.value(caller.token),
    ADMIN_KEY: Redacted.value(admin.token),
    GUILD_ID: guildId,
    USER_ID: user.id,
    CLIENT_ID: application.id,
    WEBHOOK_ID: webhook.id,
    WEBHOOK_TOKEN: Redacted.value(token)
  }
})
