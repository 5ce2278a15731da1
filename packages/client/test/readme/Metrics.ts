import { createClient } from "@community-messaging/client/Client"

export const client = createClient({
  baseUrl: "https://chat.example",
  retries: 4,
  onAttempt: ({ failure, number, operation, rateLimit, requestId, retryIn, status }) => {
    console.log({ operation, number, status, requestId, left: rateLimit?.remaining, error: failure?.message, retryIn })
  }
})
