import { createService } from "@community-messaging/service/CreateService"
import { announce, found, refusal } from "./community.js"

const service = await createService({ storage: { kind: "memory" } })

const webhook = await found(service)
const [message] = await announce(service, webhook, "watch", {
  action: "started",
  sender: { login: "bjork" },
  repository: { full_name: "riverside/kiln" }
})
console.log(message.payload.embeds[0].title)

await service.createUser({ username: "eve", email: "nobody" }).catch((error) => {
  console.log(refusal(error))
})

await service.close()
