import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const made = new Set<string>()

const remove = (directory: string): void => {
  rmSync(directory, { recursive: true, force: true })
  made.delete(directory)
}

// Also if the benchmark fails.
process.once("exit", () => {
  for (const directory of made) remove(directory)
})

/** Does the work with a new directory, and removes the directory afterwards. */
export const use = async <A>(work: (directory: string) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "community-messaging-bench-"))
  made.add(directory)
  try {
    return await work(directory)
  } finally {
    remove(directory)
  }
}
