import { createService } from "@community-messaging/service/CreateService"
import assert from "node:assert/strict"
import { once } from "node:events"
import { test } from "node:test"
import { makeApp } from "./App.ts"

test("the application answers its own routes, and the API those under its prefix", async () => {
  const service = await createService({ storage: { kind: "memory" } })
  const server = (await makeApp(service, "http://127.0.0.1")).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  assert.ok(typeof address === "object" && address !== null)
  const origin = `http://127.0.0.1:${address.port}`
  try {
    const signup = await fetch(`${origin}/signups`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ada" })
    })
    assert.equal(signup.status, 201)
    const { id } = await signup.json()
    const { token } = await service.issueAdminKey({ name: "test", acls: ["*"] })
    const changed = await fetch(`${origin}/chat/v1/admin/users/change-email`, {
      method: "POST",
      headers: { "authorization": `Admin ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ user_id: id, email: "ada@example.org" })
    })
    assert.equal(changed.status, 200)
    assert.equal((await fetch(`${origin}/chat/v1/nothing`)).status, 404)
  } finally {
    await service.close()
    server.close()
  }
})
