import { createService } from "@community-messaging/service/CreateService"
import { once } from "node:events"
import { makeApp } from "./App.ts"

const PORT = 3000

const service = await createService({ storage: { kind: "sqlite", filename: "community.sqlite" } })
const app = await makeApp(service, `http://127.0.0.1:${PORT}`)
console.log(`${await app.listen({ port: PORT, host: "127.0.0.1" })}/chat/v1/openapi.json`)

await once(process, "SIGINT")
await app.close()
