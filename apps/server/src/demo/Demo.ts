import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { ApplicationId } from "@community-messaging/domain/oauth2/Application"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Data, DateTime, Effect, Option, Scope } from "effect"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as DemoAccounts from "./DemoAccounts.ts"
import { idsOf, records, REDIRECT_URI, save } from "./DemoCommunity.ts"
import * as DemoCredentials from "./DemoCredentials.ts"
import * as DemoFacts from "./DemoFacts.ts"
import { instructions } from "./DemoInstructions.ts"

/** The storage has data, and not of a demo. The demo's accounts and its keys would be among them. */
export class NotADemo extends Data.TaggedError("NotADemo") {
  override get message(): string {
    return "--demo: the database has other data. Give the demo a DATA_DIR or SCHEMA of its own"
  }
}

/** Whether the storage has the demo community. */
export const isThere = Effect.gen(function*() {
  const guilds = yield* GuildRepository
  return Option.isSome(yield* guilds.find(GuildId.make(idsOf(yield* SnowflakeEpoch).guild)))
})

/** Fails if the storage has other data than a demo. */
export const refuseOtherData = Effect.gen(function*() {
  const users = yield* UserRepository
  const isEmpty = (yield* users.list({ after: Option.none(), limit: 1 })).length === 0
  if (!isEmpty && !(yield* isThere)) return yield* new NotADemo()
})

/** Imports the demo community unless it exists. */
const seed = (epoch: number) =>
  Effect.gen(function*() {
    if (yield* isThere) return
    yield* save(yield* records(epoch, yield* DateTime.now))
  })

const prepareAlone = (directory: string, baseUrl: string, port: number, pageRefusal: Option.Option<string>) =>
  Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    const epoch = yield* SnowflakeEpoch
    const ids = idsOf(epoch)
    const channelId = ChannelId.make(ids.builds)

    const role = (yield* DemoFacts.own(directory)) ? "owner" : "guest"
    const before = yield* DemoFacts.read(directory)
    const facts = yield* atomically(Effect.gen(function*() {
      yield* seed(epoch)
      return {
        base_url: baseUrl,
        bot_token: yield* DemoCredentials.botToken(yield* DemoAccounts.bot(ids), before, role),
        admin_key: yield* DemoCredentials.adminKey(before, role),
        guild_id: GuildId.make(ids.guild),
        channel_id: channelId,
        user_id: yield* DemoAccounts.userToDelete(ids, Option.map(before, ({ user_id }) => user_id)),
        webhook: yield* DemoCredentials.webhook(channelId, before, role),
        application: { client_id: ApplicationId.make(ids.application), redirect_uri: REDIRECT_URI }
      }
    }))
    const file = yield* DemoFacts.write(directory, facts, { port, role })
    return { facts, instructions: instructions(facts, { file, role, pageRefusal }) }
  })

/**
 * Makes sure that the demo community exists and that its secrets work: reuses existing data and creates what is
 * missing. All of it is one transaction, so that a crash leaves no incomplete demo. Writes the facts to the data
 * directory, and returns them with the instructions.
 *
 * A demo owns `demo.json` in that directory until its scope ends. A demo that starts beside it is a guest: it uses the
 * owner's secrets if they work, creates its own otherwise, and revokes none of the owner's.
 */
export const prepare = (
  directory: string,
  baseUrl: string,
  port: number,
  pageRefusal: Option.Option<string>
) =>
  Effect.gen(function*() {
    yield* DataDirectory.prepare(directory)
    // The scope of the demo, not that of the lock.
    const scope = yield* Effect.scope
    return yield* DemoFacts.oneAtATime(directory)(
      Scope.extend(prepareAlone(directory, baseUrl, port, pageRefusal), scope)
    )
  })
