import { createViteServer } from "vitest/node"

// Runs the TypeScript module next to it in a process of its own, which Node 20 can not do by itself.
const server = await createViteServer({
  configFile: false,
  logLevel: "error",
  root: import.meta.dirname,
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  ssr: { resolve: { conditions: ["development", "module", "node"] } }
})
await server.ssrLoadModule(new URL("./GeneratingIds.ts", import.meta.url).pathname)
