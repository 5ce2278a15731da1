import type { Mounted } from "@community-messaging/http-adapter/Mount"
import { getRequestListener } from "@hono/node-server"
import { Effect } from "effect"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { createServer } from "node:http"
import type { AddressInfo, Server } from "node:net"

/*
 * Applications with the API and their own routes: `GET /own`, and `POST /own`, which returns the JSON that it gets. Each
 * answers unknown paths with 404 and the text `nobody`.
 */

const originOf = (address: AddressInfo | string | null): string =>
  `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`

const listening = (server: Server) =>
  Effect.async<string>((resume) => {
    if (server.listening) return resume(Effect.succeed(originOf(server.address())))
    server.once("listening", () => resume(Effect.succeed(originOf(server.address()))))
  })

/** Waits until all connections are closed, like applications at their end. */
const closed = (server: { readonly close: (done: () => void) => unknown; closeIdleConnections?: () => void }) =>
  Effect.async<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeIdleConnections?.()
  })

const node = (api: Mounted) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      createServer((request, response) =>
        api.listener(request, response, () => {
          if (request.url !== "/own") response.writeHead(404).end("nobody")
          else if (request.method === "GET") response.end("fine")
          else request.pipe(response)
        })
      ).listen(0, "127.0.0.1")
    ),
    closed
  ).pipe(Effect.flatMap(listening))

const withExpress = (api: Mounted) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const app = express()
      app.use("/chat", api.listener)
      app.use(express.json())
      app.get("/own", (_request, response) => {
        response.send("fine")
      })
      app.post("/own", (request, response) => {
        response.json(request.body)
      })
      app.use((_request, response) => {
        response.status(404).send("nobody")
      })
      return app.listen(0, "127.0.0.1")
    }),
    closed
  ).pipe(Effect.flatMap(listening))

const withFastify = (api: Mounted) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const app = fastify()
        app.addHook("onRequest", (request, reply, done) => {
          if (!api.handles(request.raw)) return done()
          reply.hijack()
          api.listener(request.raw, reply.raw)
        })
        app.get("/own", () => "fine")
        app.post("/own", (request) => request.body)
        app.setNotFoundHandler((_request, reply) => reply.code(404).send("nobody"))
        await app.listen({ port: 0, host: "127.0.0.1" })
        return app
      }),
      (app) => Effect.promise(() => app.close())
    ),
    ({ server }) => originOf(server.address())
  )

const withHono = (api: Mounted) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const app = new Hono()
      app.get("/own", (context) => context.text("fine"))
      app.post("/own", async (context) => context.json(await context.req.json()))
      app.notFound((context) => context.text("nobody", 404))
      const application = getRequestListener(app.fetch)
      const server = createServer((request, response) =>
        api.listener(request, response, () => void application(request, response))
      )
      return server.listen(0, "127.0.0.1")
    }),
    closed
  ).pipe(Effect.flatMap(listening))

/** The applications, with functions that start them with the API under `/chat` and return the origin. */
export const APPLICATIONS = [
  ["a Node server", node],
  ["an Express application", withExpress],
  ["a Fastify application", withFastify],
  ["a Hono application", withHono]
] as const
