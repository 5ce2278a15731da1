import { createService } from "@community-messaging/service/CreateService"
import { isServiceError } from "@community-messaging/service/ServiceError"
import { createServer } from "node:http"

const service = await createService({ storage: { kind: "memory" } }) // or { kind: "sqlite", filename: "chat.sqlite" }

const ada = await service.createUser({ username: "ada", email: "ada@example.org" })
const guild = await service.createGuild({ name: "Analytical Engines", owner_id: ada.id })
const channel = await service.createChannel({ guild_id: guild.id, name: "builds" })
const webhook = await service.createWebhook({ channel_id: channel.id, name: "Builds" })

const result = await service.executeCodeHostWebhook({
  webhook_id: webhook.id,
  token: webhook.token,
  event: "watch",
  notification: { action: "started", sender: { login: "ada" }, repository: { full_name: "riverside/kiln" } }
})
if (result.posted) console.log(result.message.payload.embeds?.[0]?.title)

try {
  await service.changeUserEmail({ user_id: ada.id, email: "nobody" })
} catch (error) {
  if (!isServiceError(error)) throw error // a bug
  if (error._tag === "InvalidInput") console.log(error.violations[0]?.path) // email
  else if (error._tag === "EmailAlreadyInUse") console.log("Choose another address.")
  else console.log(error.message)
}

const done = await service.runBackgroundWork()
console.log(done.postDueMessages) // { claimed: 0, done: 0, failed: 0 }

for await (const event of service.events()) {
  console.log(event.type) // member.joined
  if (event.type === "message.created") break
}

const api = await service.mountHttp({ publicUrl: "https://example.org", prefix: "/chat" })
const server = createServer((request, response) => api.listener(request, response, () => response.writeHead(404).end()))

await service.close() // waits for calls and requests in progress
server.close()
