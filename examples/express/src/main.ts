import { createService } from "@community-messaging/service/CreateService"
import { once } from "node:events"
import { makeApp } from "./App.ts"

const PORT = 3000

const service = await createService({ storage: { kind: "sqlite", filename: "community.sqlite" } })
const app = await makeApp(service, `http://127.0.0.1:${PORT}`)
const server = app.listen(PORT, "127.0.0.1")
console.log(`http://127.0.0.1:${PORT}/chat/v1/openapi.json`)

await once(process, "SIGINT")
await service.close() // ends event streams, waits for requests in progress
server.close()
