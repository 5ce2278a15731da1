import { spawn } from "node:child_process"
import { join } from "node:path"

/** Checks the types of the tests. Several checkers would check what they share once more each. */
export const TYPES_OF_TESTS = ["tsc", "-b", "--checkers", "1", "tsconfig.test.json"]

/**
 * Runs an installed program, in the folder of the repository. Resolves to whether it succeeds. Passes its output on at once.
 * With `quiet`, prints it only if the program fails: at its end, but not before `after`.
 */
export const run = ([program, ...args], { after = Promise.resolve(), quiet = false } = {}) =>
  new Promise((resolve) => {
    const command = spawn(join("node_modules", ".bin", program), args, {
      shell: process.platform === "win32",
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
