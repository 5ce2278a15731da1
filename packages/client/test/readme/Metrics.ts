import { createClient } from "@community-messaging/client/Client"

/** A client that logs each attempt. */
export const observedClient = (baseUrl: string) =>
  createClient({
    baseUrl,
    retries: 4,
    onAttempt: ({ failure, number, operation, rateLimit, requestId, retryIn, status }) => {
      const left = rateLimit?.remaining
      console.log({ operation, number, status, requestId, left, error: failure?.message, retryIn })
    }
  })
