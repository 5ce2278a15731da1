import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { beforeAll, expect, it } from "vitest"

const TIMEOUT_MILLIS = 180_000

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Runs a program without blocking: the test runner ends a worker that does not respond for a minute. */
const node = async (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { status: child.exitCode, output: `${stderr}${stdout}` }
}

const brokenIn = (output: string): ReadonlyArray<string> =>
  output.split("\n").filter((line) => line.startsWith("broken: "))

// The attack starts the compiled server as a process of its own.
beforeAll(async () => {
  const { output, status } = await node("node_modules/typescript/bin/tsc", "-b", "attack")
  if (status !== 0) throw new Error(`The attack does not compile:\n${output}`)
}, TIMEOUT_MILLIS)

it("the short form of the attack breaks no bound of the server", async () => {
  const { output, status } = await node("attack/dist/main.js", "--short", "--seed", "1790000000")
  expect(brokenIn(output)).toEqual([])
  expect({ status, output }).toMatchObject({ status: 0 })
}, TIMEOUT_MILLIS)
