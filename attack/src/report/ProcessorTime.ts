import { readFileSync } from "node:fs"

/*
 * The processor time of other programs, as Linux counts it (proc_stat(5), proc_pid_stat(5)). If it is large, the times
 * of the server mean little.
 */

/** The unit of `/proc`: USER_HZ is 100 on all platforms. */
const MILLIS_PER_TICK = 10

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)

/** The used time of all processors: user, nice, system, and interrupts, hard and soft. */
const used = (): number => {
  const [, user, nice, system, , , hard, soft] = (readFileSync("/proc/stat", "latin1").split("\n")[0] ?? "").split(/ +/)
  return sum([user, nice, system, hard, soft].map(Number))
}

/** The time that a process used; 0 if it has ended. */
const usedBy = (pid: number): number => {
  try {
    // The name of the program, in parentheses, may have spaces.
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(/\) (?=\S )/)
    const [user, system] = fields.split(" ").slice(11)
    return Number(user) + Number(system)
  } catch {
    return 0
  }
}

/** Begins to measure. The returned function returns how much of one processor all other programs have used since. */
export const measureOthers = (pids: ReadonlyArray<number>): () => number => {
  const others = () => used() - sum(pids.map(usedBy))
  const [beganAt, before] = [performance.now(), others()]
  return () => Math.max(0, (others() - before) * MILLIS_PER_TICK) / (performance.now() - beganAt)
}
