import { createClient } from "@community-messaging/client/Client"

const client = createClient({
  baseUrl: process.env["BASE"] ?? "http://127.0.0.1:8080",
  credentials: { bot: process.env["BOT"] }
})

for (const { payload, scheduled_at } of await client.scheduledMessages.list()) {
  console.log(scheduled_at, payload.content)
}
