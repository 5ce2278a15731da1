import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { beforeAll, expect, it } from "vitest"

const PATIENCE_MILLIS = 180_000

const root = fileURLToPath(new URL("../..", import.meta.url))

const node = (...args: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
  return { status, output: `${stderr}${stdout}` }
}

const brokenIn = (output: string): ReadonlyArray<string> =>
  output.split("\n").filter((line) => line.startsWith("broken: "))

// The attack starts the compiled server as a process of its own.
beforeAll(() => {
  const { output, status } = node("node_modules/typescript/bin/tsc", "-b", "attack")
  if (status !== 0) throw new Error(`The attack does not compile:\n${output}`)
}, PATIENCE_MILLIS)

it("the short form of the attack breaks no bound of the server", () => {
  const { output, status } = node("attack/dist/main.js", "--short", "--seed", "1790000000")
  expect(brokenIn(output)).toEqual([])
  expect({ status, output }).toMatchObject({ status: 0 })
}, PATIENCE_MILLIS)

it("says what is wrong with its arguments", () => {
  const { output, status } = node("attack/dist/main.js", "--only", "nothing")
  expect([status, output.split("\n")[0]]).toEqual([2, "There is no part nothing."])
})
