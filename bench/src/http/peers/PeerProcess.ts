import type { Server } from "node:http"
import * as Service from "../service/Service.ts"
import * as BareServer from "./BareServer.ts"
import * as FastifyServer from "./FastifyServer.ts"

/*
 * A peer as a process: node PeerProcess.js <peer> <database>. Tells its parent the port that the kernel chose.
 */

const makers: { readonly [peer: string]: (service: Service.Service) => Server | Promise<Server> } = {
  bare: BareServer.make,
  fastify: FastifyServer.make
}

const [peer = "", database = ""] = process.argv.slice(2)
const make = makers[peer]
if (make === undefined) throw new Error(`There is no peer ${peer}.`)

const service = await Service.make(database)
const server = await make(service)

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.({ port: address.port })
})

process.once("SIGTERM", () => {
  server.closeAllConnections()
  server.close(() => {
    void service.close().finally(() => process.disconnect())
  })
})
// Without its parent it has nothing to do.
process.once("disconnect", () => process.exit())
