// Runs a TypeScript module in another process, which Node 20 cannot do alone: fork(this file, [module, ...arguments]).
import { createViteServer } from "vitest/node"

const [module = ""] = process.argv.splice(2, 1)
const server = await createViteServer({
  configFile: false,
  logLevel: "error",
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: { resolve: { conditions: ["development", "node"] } }
})
await server.ssrLoadModule(module)
