import type { Service } from "@community-messaging/service/Service"
import fastify from "fastify"

/** An application of your own with the API under `/chat`. */
export const makeApp = async (service: Service, publicUrl: string) => {
  const api = await service.mountHttp({ publicUrl, prefix: "/chat" })
  const app = fastify()
  // The first hook of a request: the API reads bodies itself, within its limits.
  app.addHook("onRequest", (request, reply, done) => {
    if (!api.handles(request.raw)) return done()
    reply.hijack()
    api.listener(request.raw, reply.raw)
  })
  // Before connections are closed: a server waits for open event streams.
  app.addHook("preClose", () => service.close())
  app.post<{ Body: { username: string } }>("/signups", async (request, reply) => {
    const user = await service.createUser({ username: request.body.username })
    return reply.code(201).send({ id: user.id })
  })
  return app
}
