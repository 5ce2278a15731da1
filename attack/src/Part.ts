import type { Goal, MeasurementTable } from "@community-messaging/bench/report/Measurement"
import type { SeededRandom } from "@community-messaging/bench/search/community/SeededRandom"
import type { ServerProcess } from "./server/ServerProcess.ts"

/** What every part of the attack gets. */
export interface Assignment {
  /** How long the part attacks, about. */
  readonly seconds: number
  readonly seed: number
  readonly random: SeededRandom
  /** Small data, and facts alone: no bound of a time is asserted, because other work shares the machine. */
  readonly short: boolean
  /** Does the work with a server that has a small community and no rate limits; in the short form, all parts share one. */
  readonly serve: <A>(work: (server: ServerProcess) => Promise<A>) => Promise<A>
  /** Tells the person at the terminal how far the part is. */
  readonly log: (line: string) => void
}

/** What a part measured, and which bounds it found held or broken. */
export interface PartResult {
  readonly tables: ReadonlyArray<MeasurementTable>
  readonly bounds: ReadonlyArray<Goal>
}

/** A part of the attack. It ends what it started, also if it fails. */
export type Part = (assignment: Assignment) => Promise<PartResult>
