// Runs a TypeScript module in a process of its own, which Node 20 cannot do by itself: fork(this file, [module, ...arguments]).
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
