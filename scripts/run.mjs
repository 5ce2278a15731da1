import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url))

const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter)

/** Checks the types of the tests. Several checkers would check what they share once more each. */
export const TYPES_OF_TESTS = ["tsc", "-b", "--checkers", "1", "tsconfig.test.json"]

/**
 * Runs a program, such as one of an installed package, in the folder of the repository. Resolves to whether it succeeds. Adds
 * the environment variables of `env`. Passes its output on at once. With `quiet`, prints it only if the program fails: at its
 * end, but not before `after`.
 */
export const run = ([program, ...args], { after = Promise.resolve(), env = {}, quiet = false } = {}) =>
  new Promise((resolve) => {
    const command = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, PATH, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit"
    })
    const printed = []
    for (const stream of [command.stdout, command.stderr]) stream?.on("data", (data) => printed.push(data))
    command.on("close", (status) => {
      const conclude = () => {
        if (status !== 0) process.stderr.write(Buffer.concat(printed))
        resolve(status === 0)
      }
      if (quiet) void after.then(conclude)
      else conclude()
    })
  })
