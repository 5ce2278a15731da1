import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"

const bundle = async (entry: string, external: Array<string> = []) => {
  const { metafile, outputFiles: [output] } = await build({
    entryPoints: [fileURLToPath(new URL(`../src/${entry}`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    // No builtin of Node resolves on this platform.
    platform: "browser",
    target: "es2022",
    external,
    write: false,
    metafile: true
  })
  return {
    text: output?.text ?? "",
    bytes: gzipSync(output?.contents ?? "").byteLength,
    inputs: Object.keys(metafile.inputs),
    imports: Object.values(metafile.outputs).flatMap((each) => each.imports)
  }
}

describe("The client in a bundle for browsers", () => {
  it("takes at most 8 kB, compressed", async () => {
    const { bytes } = await bundle("Client.ts")
    expect(bytes).toBeGreaterThan(1000)
    expect(bytes).toBeLessThanOrEqual(8000)
  })

  it("consists of its own modules alone, with nothing of Node or Effect", async () => {
    const { imports, inputs, text } = await bundle("Client.ts")
    expect(inputs.filter((path) => !path.includes("packages/client/src/"))).toEqual([])
    expect(inputs.filter((path) => path.includes("/effect/"))).toEqual([])
    const globals = ["process", "Buffer", "require", "global", "__dirname", "setImmediate"]
    expect(text).not.toMatch(new RegExp(`(?<![\\w.$"])(${globals.join("|")})\\b`))
    expect(imports).toEqual([])
  })

  it("takes at most 8 kB with Effect, compressed, beside Effect itself", async () => {
    const { bytes } = await bundle("effect/Client.ts", ["effect"])
    expect(bytes).toBeLessThanOrEqual(8000)
  })
})
