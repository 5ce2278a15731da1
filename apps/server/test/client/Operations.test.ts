import { type Client, createClient } from "@community-messaging/client/Client"
import type { ClientOptions } from "@community-messaging/client/ClientOptions"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import { describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../http/Fixtures.ts"
import { onEachStorage, TestServer, testServer } from "../http/TestServer.ts"

/** A client of the served API with these credentials. */
const clientWith = (
  credentials: { readonly bot?: Redacted.Redacted; readonly admin?: Redacted.Redacted },
  options: Partial<ClientOptions> = {}
) =>
  Effect.map(TestServer, ({ origin }) =>
    createClient({
      baseUrl: origin,
      credentials: {
        ...(credentials.bot !== undefined && { bot: Redacted.value(credentials.bot) }),
        ...(credentials.admin !== undefined && { admin: Redacted.value(credentials.admin) })
      },
      ...options
    }))

const resolves = <A>(use: () => Promise<A>) => Effect.promise(use)

/** What a call rejects with. */
const rejects = (use: () => Promise<unknown>) =>
  Effect.flip(Effect.tryPromise({ try: use, catch: (error) => error }).pipe(Effect.mapError((error): object =>
    Object(error)
  )))

const pathOf = ({ token, webhook }: Effect.Effect.Success<typeof Fixtures.webhook>) => ({
  webhook_id: webhook.id,
  token: Redacted.value(token)
})
