import Database from "better-sqlite3"
import { spawnSync } from "node:child_process"
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os"

/** Names and values, as a report lists them. */
export type Facts = ReadonlyArray<readonly [name: string, value: string]>

const sqliteVersion = (): string => {
  const database = new Database(":memory:")
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get())
  } finally {
    database.close()
  }
}

/** The commit that is measured, and whether the tree differs from it. */
const commit = (): string => {
  const git = (...args: ReadonlyArray<string>) => spawnSync("git", args, { encoding: "utf8" })
  const head = git("rev-parse", "--short=12", "HEAD")
  if (head.status !== 0) return "unknown"
  // Without the results, which the benchmark itself writes.
  const changed = git("status", "--porcelain", "--", ":/", ":(exclude,top)bench/results").stdout.trim() !== ""
  return `${head.stdout.trim()}${changed ? ", with changes" : ""}`
}

/** The machine and the versions of the run. */
export const describe = (): Facts => [
  ["date", new Date().toISOString().slice(0, 16).replace("T", " ")],
  ["commit", commit()],
  ["processor", `${cpus()[0]?.model.trim() ?? "unknown"}, ${availableParallelism()} cores`],
  ["memory", `${(totalmem() / 2 ** 30).toFixed(0)} GiB`],
  ["system", `${type()} ${release()}`],
  ["Node", process.version],
  ["SQLite", sqliteVersion()]
]

/** The load average of the last minute, which includes the benchmark's own processes. */
export const load = (): string => (loadavg()[0] ?? 0).toFixed(2)
