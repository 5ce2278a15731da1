import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { tests, testsLeftOut } from "./scripts/mutation-parts.mjs"

const fromRoot = (path) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  // The links in node_modules lead to the unchanged packages, so these names lead to the sources beside this file.
  resolve: {
    alias: [{
      find: /^@community-messaging\/(?!local-postgres)([^/]+)\/(.+)$/,
      replacement: `${fromRoot("packages")}/$1/src/$2.ts`
    }]
  },
  ssr: { resolve: { conditions: ["development", "node"] } },
  test: {
    include: tests,
    exclude: testsLeftOut,
    isolate: false,
    // Stryker counts each step, so that tests of loops take several times as long.
    testTimeout: 120_000,
    setupFiles: [fromRoot("test/TestMethods.ts"), fromRoot("test/PropertySettings.ts")]
  }
})
