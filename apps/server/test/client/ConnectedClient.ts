import { type Client, createClient } from "@community-messaging/client/Client"
import { ApiError } from "@community-messaging/client/ClientError"
import type { ClientOptions } from "@community-messaging/client/ClientOptions"
import { Effect, Redacted } from "effect"
import { TestServer } from "../http/TestServer.ts"

/** The tokens that a client sends. */
interface Tokens {
  readonly bot?: Redacted.Redacted
  readonly admin?: Redacted.Redacted
}

/** A client of the API under test. */
export const clientWith = (
  { admin, bot }: Tokens = {},
  options: Partial<ClientOptions> = {}
): Effect.Effect<Client, never, TestServer> =>
  Effect.map(TestServer, ({ origin }) =>
    createClient({
      baseUrl: origin,
      credentials: {
        ...(bot !== undefined && { bot: Redacted.value(bot) }),
        ...(admin !== undefined && { admin: Redacted.value(admin) })
      },
      retries: 0,
      ...options
    }))

/** The error of the API with which the call rejects; any other outcome is a defect. */
export const apiErrorOf = (call: () => Promise<unknown>): Effect.Effect<ApiError> =>
  Effect.promise(async () => {
    try {
      await call()
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
    throw new Error("The call does not reject")
  })

/** The path parameters of a webhook. */
export const pathOf = (
  { token, webhook }: { readonly token: Redacted.Redacted; readonly webhook: { readonly id: string } }
) => ({
  webhook_id: webhook.id,
  token: Redacted.value(token)
})
