import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { WebhookId } from "@community-messaging/domain/webhook/WebhookId"
import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, type Option, Schema } from "effect"

/** What somebody has to know to try the demo: where it is, what to call, and with which secrets. */
export const DemoFacts = Schema.Struct({
  base_url: Schema.String,
  bot_token: Schema.Redacted(Schema.String),
  admin_key: Schema.Redacted(Schema.String),
  guild_id: GuildId,
  channel_id: ChannelId,
  user_id: UserId,
  webhook: Schema.Struct({ id: WebhookId, token: Schema.Redacted(Schema.String) }),
  application: Schema.Struct({ client_id: ApplicationId, redirect_uri: Schema.String })
})
export interface DemoFacts extends Schema.Schema.Type<typeof DemoFacts> {}

const OWNER_ONLY = 0o600

const FileContent = Schema.parseJson(DemoFacts, { space: 2 })

const fileIn = (directory: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(directory, "demo.json"))

/** The facts in the directory; none where there are none, or none that can be read. */
export const read = (
  directory: string
): Effect.Effect<Option.Option<DemoFacts>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    return yield* Schema.decode(FileContent)(yield* files.readFileString(yield* fileIn(directory)))
  }).pipe(Effect.option)

/** Writes the facts, secrets included, for the owner of the directory alone; whole or not at all. */
export const write = (
  directory: string,
  facts: DemoFacts
): Effect.Effect<string, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* fileIn(directory)
    const temporary = `${file}.${process.pid}.part`
    const content = yield* Effect.orDie(Schema.encode(FileContent)(facts))
    yield* files.writeFileString(temporary, `${content}\n`, { mode: OWNER_ONLY })
    yield* files.rename(temporary, file)
    return file
  })
