import type { Server } from "node:http"
import { setFlagsFromString } from "node:v8"

/*
 * The process of a peer: node PeerProcess.js <peer> <database>. Sends its parent the port that the kernel chose.
 */

/** The peers. A process imports only its own. Closing a server closes its database. */
const makers: { readonly [peer: string]: (database: string) => Promise<Server> } = {
  floor: async (database) => (await import("./floor/FloorServer.ts")).make(database),
  fastify: async (database) => (await import("./fastify/FastifyServer.ts")).make(database)
}

// As the service does (`V8Flags`), so that the garbage of all servers is collected in the same way.
setFlagsFromString("--no-allocation-site-pretenuring")
setFlagsFromString("--heap-growing-percent=50")

const [peer = "", database = ""] = process.argv.slice(2)
const make = makers[peer]
if (make === undefined) throw new Error(`There is no peer ${peer}.`)

const server = await make(database)

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.({ port: address.port })
})

process.once("SIGTERM", () => {
  server.closeAllConnections()
  server.close(() => process.disconnect())
})
// Ends with its parent.
process.once("disconnect", () => process.exit())
