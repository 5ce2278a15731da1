import type { Goal } from "@community-messaging/bench/report/Measurement"
import type { ServerProcess } from "../server/ServerProcess.ts"
import type { Tally } from "../traffic/Tally.ts"

/** The target of an attack. */
export type Target = Pick<ServerProcess, "origin" | "port">

/** An attack on a server. */
export interface Attack {
  readonly name: string
  /** The least duration, if the attack needs more than its share of the time. */
  readonly leastMillis?: number
  /** Attacks for that long and counts the responses. Returns the bounds that it checks itself. */
  readonly run: (target: Target, tally: Tally, millis: number) => Promise<ReadonlyArray<Goal>>
}
