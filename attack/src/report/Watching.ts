import * as Format from "@community-messaging/bench/report/Format"
import type { Cell, Goal, MeasurementTable } from "@community-messaging/bench/report/Measurement"
import { percentile } from "@community-messaging/bench/report/Statistics"
import { setTimeout as sleep } from "node:timers/promises"
import type { Attacked } from "../attackers/Orders.ts"
import type { Assignment } from "../Part.ts"
import type { ServerProcess, Watched } from "../server/ServerProcess.ts"
import type { NeutralCaller, Served } from "../traffic/NeutralCaller.ts"
import * as Bound from "./Bound.ts"
import { measureOthers } from "./ProcessorTime.ts"

/*
 * Watches a server and a neutral caller during an attack, and compares them with a quiet time before.
 */

/** The limits of the effect that one caller may have on others. */
const LIMITS = {
  holdP999Millis: 20,
  longestHoldMillis: 100,
  peakMemoryMegabytes: 400,
  neutralRatio: 3
} as const

/** Below that, a ratio of two times means nothing. */
const LEAST_QUIET_P99_MILLIS = 5

const QUIET_MILLIS = 5000

/** The figures of one attack. */
export interface Observation {
  readonly attack: string
  readonly server: Watched
  readonly neutral: Served
  readonly attacked: Attacked
  readonly survived: boolean
  /** How much of one processor other programs on the machine used. */
  readonly others: number
}

/** The processes of an observation. */
export interface Scene {
  readonly server: ServerProcess
  readonly neutral: NeutralCaller
  /** The process of the attackers. */
  readonly attackers: number
}

const timeOf = ({ millis }: Served, part: number): number =>
  percentile(millis.toSorted((self, that) => self - that), part)

const NOBODY: Attacked = { answers: "", forbidden: [], bounds: [] }

/** Watches without an attack. */
export const quiet = ({ short }: Assignment, scene: Scene): Promise<Observation> =>
  during("quiet", scene, () => sleep(short ? 200 : QUIET_MILLIS, NOBODY))

/** Watches during some work. */
export const during = async (
  attack: string,
  { attackers, neutral, server }: Scene,
  work: () => Promise<Attacked>
): Promise<Observation> => {
  const others = measureOthers([process.pid, server.pid, neutral.pid, attackers])
  server.beginWatch()
  neutral.begin()
  const attacked = await work()
  const served = await neutral.end()
  return {
    attack,
    server: await server.endWatch(),
    neutral: served,
    attacked,
    survived: server.isRunning(),
    others: others()
  }
}

const MEBIBYTE = 2 ** 20

const refusals = ({ refused }: Served): string =>
  Object.entries(refused).map(([status, count]) => `${count} × ${status}`).join(", ")

const row = ({ attack, attacked, neutral, others, server }: Observation): ReadonlyArray<Cell> => [
  attack,
  { value: server.holdP999, unit: "ms" },
  { value: server.longestProcessorTime, unit: "ms" },
  { value: server.longestDelay, unit: "ms" },
  { value: server.peakMemory, unit: "bytes" },
  { value: timeOf(neutral, 0.5), unit: "ms" },
  { value: timeOf(neutral, 0.99), unit: "ms" },
  refusals(neutral),
  `${Math.round(others * 100)} %`,
  attacked.answers
]

/** The figures of an attack in one line, as progress on the terminal. */
export const summary = (observation: Observation): string => row(observation).map(Format.cell).join("  ")

export const table = (title: string, observations: ReadonlyArray<Observation>): MeasurementTable => ({
  title,
  note:
    "Hold: the time that one turn blocks the server's event loop, without waiting for a processor. Neutral: another caller. Other programs: their share of one processor; if it is large, repeat the run.",
  columns: [
    "attack",
    "hold p99.9",
    "longest, processor",
    "longest delay",
    "peak memory",
    "neutral p50",
    "neutral p99",
    "neutral refused",
    "other programs",
    "responses to the attacker"
  ],
  rows: observations.map(row)
})

/** The bounds that do not depend on how busy the machine is. */
const facts = ({ attack, attacked, neutral, server, survived }: Observation): ReadonlyArray<Goal> => [
  Bound.holds(`${attack}: the server still serves`, survived),
  Bound.none(`${attack}: 5xx other than 503`, attacked.forbidden),
  Bound.atMost(`${attack}: peak memory`, server.peakMemory / MEBIBYTE, LIMITS.peakMemoryMegabytes, "MiB"),
  Bound.none(
    `${attack}: responses other than 200 to the neutral caller`,
    refusals(neutral) === "" ? [] : [refusals(neutral)]
  ),
  ...attacked.bounds
]

const timings = ({ attack, neutral, server }: Observation, before: Observation): ReadonlyArray<Goal> => [
  Bound.atMost(`${attack}: hold of the event loop, p99.9`, server.holdP999, LIMITS.holdP999Millis, "ms"),
  Bound.atMost(`${attack}: longest hold, processor time`, server.longestProcessorTime, LIMITS.longestHoldMillis, "ms"),
  Bound.atMost(
    `${attack}: neutral p99, relative to the quiet time`,
    timeOf(neutral, 0.99) / Math.max(LEAST_QUIET_P99_MILLIS, timeOf(before.neutral, 0.99)),
    LIMITS.neutralRatio,
    "×"
  )
]

/** The bounds of an attack. */
export const bounds = (
  { short }: Assignment,
  before: Observation,
  observation: Observation
): ReadonlyArray<Goal> => [...facts(observation), ...(short ? [] : timings(observation, before))]
