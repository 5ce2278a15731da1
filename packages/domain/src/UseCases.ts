import { Context, Effect, Layer } from "effect"
import { Authentication } from "./access/Authentication.ts"
import { Credentials } from "./access/Credentials.ts"
import { Tokens } from "./access/Tokens.ts"
import { DueDeletions } from "./account-deletion/DueDeletions.ts"
import { Accounts } from "./account/Accounts.ts"
import { ExpiredEvents } from "./event/EventRetention.ts"
import { Guilds } from "./guild/Guilds.ts"
import { Memberships } from "./guild/Memberships.ts"
import { MemberSearch } from "./member-search/MemberSearch.ts"
import { Consents } from "./oauth2/Consents.ts"
import { ScheduledMessages } from "./scheduled-message/ScheduledMessages.ts"
import { Webhooks } from "./webhook/Webhooks.ts"

/** All use cases. They need a storage (`StoragePorts`), the ports of the platform, and a snowflake generator. */
export const layer = Layer.effectContext(Effect.flatMap(Tokens.makeContext, (tokens) =>
  Effect.all([
    Accounts.makeContext,
    Authentication.makeContext,
    Consents.makeContext,
    Credentials.makeContext,
    DueDeletions.makeContext,
    ExpiredEvents.makeContext,
    Guilds.makeContext,
    Memberships.makeContext,
    MemberSearch.makeContext,
    ScheduledMessages.makeContext,
    Webhooks.makeContext
  ]).pipe(
    Effect.map((contexts) => Context.mergeAll(tokens, ...contexts)),
    Effect.provide(tokens)
  )))
