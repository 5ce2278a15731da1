import { createService } from "@community-messaging/service/CreateService"
import assert from "node:assert/strict"
import { test } from "node:test"
import { announce, found, refusal } from "./community.js"

test("a star of a repository is announced", async () => {
  const service = await createService({ storage: { kind: "memory" } })
  const [message] = await announce(service, await found(service), "watch", {
    action: "started",
    sender: { login: "bjork" },
    repository: { full_name: "riverside/kiln" }
  })
  assert.match(message.payload.embeds[0].title, /riverside\/kiln/)
  await service.close()
})

test("a refusal says which field is wrong", async () => {
  const service = await createService({ storage: { kind: "memory" } })
  const reasons = await service.createUser({ username: "eve", email: "nobody" }).catch(refusal)
  assert.match(reasons[0], /^email /)
  await service.close()
})
