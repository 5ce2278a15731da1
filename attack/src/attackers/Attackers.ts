import { nextMessage } from "@community-messaging/bench/http/Process"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Target } from "./Attack.ts"
import { Attacked, Order, type Plan, Ready } from "./Orders.ts"

/** An attack that the attackers are ready to make. */
export interface Planned {
  readonly name: string
  /** The least duration, if the attack needs more than its share of the time. */
  readonly leastMillis?: number | undefined
  /** Makes the attack, and returns when it is over. */
  readonly run: (target: Target, millis: number) => Promise<Attacked>
}

/** The process of the attackers. */
export interface Attackers {
  readonly pid: number
  readonly attacks: ReadonlyArray<Planned>
  readonly stop: () => void
}

/**
 * The scheduling policy that gives a process only idle time of the processors (sched(7), SCHED_IDLE). Real attackers have
 * their own machines, so these must not take processor time from the server or its other callers.
 */
const IDLE_TIME = { execPath: "chrt", execArgv: ["--idle", "0", process.execPath] }

/** Starts the process of the attackers, and waits until it is ready. */
export const start = async (plan: Plan): Promise<Attackers> => {
  const program = fileURLToPath(new URL("AttackerProcess.js", import.meta.url))
  const child = fork(program, [JSON.stringify(plan)], IDLE_TIME)
  const ready = Schema.decodeUnknownSync(Ready)(await nextMessage(child))
  return {
    pid: child.pid ?? 0,
    attacks: ready.map(({ leastMillis, name }, attack) => ({
      name,
      leastMillis,
      run: async ({ origin, port }, millis) => {
        child.send(Order.make({ attack, origin, port, millis }))
        return Schema.decodeUnknownSync(Attacked)(await nextMessage(child))
      }
    })),
    stop: () => child.kill("SIGKILL")
  }
}
