import type { Goal } from "@community-messaging/bench/report/Measurement"
import type { ServerProcess } from "../server/ServerProcess.ts"
import type { Tally } from "../traffic/Tally.ts"

/** Whom an attack is on. */
export type Target = Pick<ServerProcess, "origin" | "port">

/** An attack on a server. */
export interface Attack {
  readonly name: string
  /** How long it lasts, if it must last longer than its share of the time. */
  readonly leastMillis?: number
  /** Attacks for that long and counts the answers that it gets. Returns the bounds that it finds held or broken itself. */
  readonly run: (target: Target, tally: Tally, millis: number) => Promise<ReadonlyArray<Goal>>
}
