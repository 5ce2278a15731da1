import { readFileSync } from "node:fs"

/** Whether SIGHUP is ignored, as `nohup` starts programs. A handler would end that. Only Linux shows it. */
const isIgnored = (): boolean => {
  try {
    const [, ignored = ""] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? []
    return (Number.parseInt(ignored.slice(-1), 16) & 1) === 1
  } catch {
    return true
  }
}

/** Ends the program when its terminal closes (SIGHUP) as at SIGTERM, so that an interrupted command leaves no file. */
export const handle = (): void => {
  if (!isIgnored()) process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
}
