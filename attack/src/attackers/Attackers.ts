import { nextMessage } from "@community-messaging/bench/http/Process"
import { Schema } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Target } from "./Attack.ts"
import { Attacked, Order, type Plan, Ready } from "./Orders.ts"

/** An attack that attackers are ready for. */
export interface Planned {
  readonly name: string
  /** How long it lasts, if it must last longer than its share of the time. */
  readonly leastMillis?: number | undefined
  /** Makes the attack, and returns when it is over. */
  readonly run: (target: Target, millis: number) => Promise<Attacked>
}

/** Those who attack. */
export interface Attackers {
  readonly pid: number
  readonly attacks: ReadonlyArray<Planned>
  readonly stop: () => void
}

/**
 * The scheduling policy that gives a process the time that no other one wants (sched(7), SCHED_IDLE). Attackers have
 * machines of their own: what theirs take here must be missing neither to the server nor to its other callers.
 */
const UNWANTED_TIME = { execPath: "chrt", execArgv: ["--idle", "0", process.execPath] }

/** Starts attackers, as a process of their own, and waits until they are ready. */
export const start = async (plan: Plan): Promise<Attackers> => {
  const program = fileURLToPath(new URL("AttackerProcess.js", import.meta.url))
  const child = fork(program, [JSON.stringify(plan)], UNWANTED_TIME)
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
