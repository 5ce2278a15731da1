import type { Goal, MeasurementTable } from "@community-messaging/bench/report/Measurement"
import type { SeededRandom } from "@community-messaging/bench/report/SeededRandom"
import type { ServerProcess } from "./server/ServerProcess.ts"

/** The input of every part of the attack. */
export interface Assignment {
  /** The approximate length of the attack. */
  readonly seconds: number
  readonly seed: number
  readonly random: SeededRandom
  /** Small data, and no bounds on times, because other work shares the machine. */
  readonly short: boolean
  /** Does the work with a server with a small community and no rate limits; in the short form, all parts share one. */
  readonly serve: <A>(work: (server: ServerProcess) => Promise<A>) => Promise<A>
  /** Reports the progress of the part on the terminal. */
  readonly log: (line: string) => void
}

/** The figures of a part, and its bounds: held or broken. */
export interface PartResult {
  readonly tables: ReadonlyArray<MeasurementTable>
  readonly bounds: ReadonlyArray<Goal>
}

/** A part of the attack. It stops everything that it started, also if it fails. */
export type Part = (assignment: Assignment) => Promise<PartResult>
