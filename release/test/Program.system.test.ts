import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { describe, expect, inject, it } from "vitest"
import { readManifest, ROOT } from "../src/Repository.ts"

/*
 * The program after `npm install`, in a folder of its own: its commands, and the pages that are files of the package.
 */

const TIMEOUT_MILLIS = 120_000

const COMMAND = "community-messaging"

/** The file to which npm links the command. */
const linked = (): string => {
  const found = inject("installed").find(({ name }) => name === "@community-messaging/server")
  if (found === undefined) throw new Error("The server is not packed.")
  const { bin } = readManifest(found.folder)
  const path = typeof bin === "object" && bin !== null && COMMAND in bin ? bin[COMMAND] : undefined
  return join(found.folder, String(path))
}

/** An empty folder in which the program is called. */
const emptyFolder = (name: string): string => {
  const folder = join(inject("installation"), name)
  mkdirSync(folder)
  return folder
}

const start = (cwd: string, args: ReadonlyArray<string>) =>
  spawn(process.execPath, [linked(), ...args], { cwd, env: {}, stdio: ["ignore", "pipe", "pipe"] })

const run = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const program = start(cwd, args)
  const [stdout, stderr] = await Promise.all([text(program.stdout), text(program.stderr), once(program, "close")])
  return { code: program.exitCode, stderr, stdout }
}

/** The first match of the pattern in the lines of the output. */
const printed = async (output: Readable, pattern: RegExp): Promise<string | undefined> => {
  for await (const line of createInterface({ input: output })) {
    const [found] = pattern.exec(line) ?? []
    if (found !== undefined) return found
  }
  return undefined
}

describe.concurrent("the installed program", () => {
  it("imports, lists and exports, with its data in the folder where it is called", async () => {
    const folder = emptyFolder("commands")
    const sample = join(ROOT, "docs/samples/community.ndjson")
    expect(await run(folder, "import", sample)).toMatchObject({ code: 0 })
    const webhooks = await run(folder, "webhook", "--json", "list")
    expect(webhooks).toMatchObject({ code: 0, stderr: "" })
    expect(webhooks.stdout).toContain("\"name\":\"Kiln lights\"")
    const exported = await run(folder, "export", "-")
    writeFileSync(join(folder, "exported.ndjson"), exported.stdout)
    expect((await run(folder, "import", "exported.ndjson")).stderr).toContain(
      "webhook: 0 added, 0 changed, 1 unchanged"
    )
  }, TIMEOUT_MILLIS)

  it("serves a demo with its page and its documentation", async () => {
    const demo = start(emptyFolder("demo"), ["serve", "--demo", "--port", "0"])
    const errors = text(demo.stderr)
    const html = { headers: { accept: "text/html" } }
    try {
      const origin = await printed(demo.stdout, /http:\S+(?=\/demo)/)
      if (origin === undefined) throw new Error(await errors)
      const page = await (await fetch(`${origin}/demo`, html)).text()
      const files = Array.from(page.matchAll(/(?:src|href)="(demo\/[^"]+)"/g), ([, file]) => `/${file}`)
      expect(files.length).toBeGreaterThan(1)
      const paths = ["/demo", "/demo/docs", "/v1/docs", ...files]
      const answers = await Promise.all(
        paths.map(async (path) => [path, (await fetch(`${origin}${path}`, html)).status])
      )
      expect(answers).toEqual(paths.map((path) => [path, 200]))
    } finally {
      demo.kill("SIGTERM")
    }
    await once(demo, "exit")
    expect(demo.exitCode).toBe(0)
  }, TIMEOUT_MILLIS)
})
