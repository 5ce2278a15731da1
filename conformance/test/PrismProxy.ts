import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Tool from "./Tool.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "prism-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/**
 * Starts Prism as a proxy before `upstream`, and returns the proxy's origin. The proxy validates all requests and responses
 * against the document of the server at `origin`, which it gets as a file, because it cannot load a URL on Node 24.
 */
export const start = (origin: string, upstream: string) =>
  Effect.gen(function*() {
    const document = join(yield* folder, "openapi.json")
    const text = yield* Effect.promise(async () => (await fetch(`${origin}/v1/openapi.json`)).text())
    writeFileSync(document, text)
    return yield* Tool.start(
      "@stoplight/prism-cli",
      ["proxy", document, upstream, "--host", "127.0.0.1", "--port", "0"],
      /listening on (http:\/\/127\.0\.0\.1:\d+)/
    )
  })
