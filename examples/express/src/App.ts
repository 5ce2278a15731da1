import type { Service } from "@community-messaging/service/Service"
import express from "express"

/** An application of your own with the API under `/chat`. */
export const makeApp = async (service: Service, publicUrl: string) => {
  const api = await service.mountHttp({ publicUrl, prefix: "/chat" })
  const app = express()
  // Before express.json(): the API reads bodies itself, within its limits.
  app.use("/chat", api.listener)
  app.use(express.json())
  app.post("/signups", async (request, response) => {
    const { username } = request.body
    const user = await service.createUser({ username })
    response.status(201).json({ id: user.id })
  })
  return app
}
