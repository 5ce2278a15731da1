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
 * Watches a server and a neutral caller while something attacks, and compares them with a quiet time before.
 */

/** The bounds of what one caller may cause to the others. */
export const LIMITS = {
  holdP999Millis: 20,
  longestHoldMillis: 100,
  peakMemoryMegabytes: 400,
  neutralRatio: 3
} as const

/** Below that, a ratio of two times says nothing. */
const LEAST_QUIET_P99_MILLIS = 5

const QUIET_MILLIS = 5000

/** What was seen during one attack. */
export interface Observation {
  readonly attack: string
  readonly server: Watched
  readonly neutral: Served
  readonly attacked: Attacked
  readonly survived: boolean
  /** How much of one processor other programs of the machine used. */
  readonly others: number
}

/** Those who take part in an observation. */
export interface Scene {
  readonly server: ServerProcess
  readonly neutral: NeutralCaller
  /** The process of the attackers. */
  readonly attackers: number
}

const p99 = ({ millis }: Served): number => percentile(millis.toSorted((self, that) => self - that), 0.99)

const p50 = ({ millis }: Served): number => percentile(millis.toSorted((self, that) => self - that), 0.5)

const NOBODY: Attacked = { answers: "", forbidden: [], bounds: [] }

/** Watches while nobody attacks. */
export const quiet = ({ short }: Assignment, scene: Scene): Promise<Observation> =>
  during("quiet", scene, () => sleep(short ? 200 : QUIET_MILLIS, NOBODY))

/** Watches while something goes on. */
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
  { value: p50(neutral), unit: "ms" },
  { value: p99(neutral), unit: "ms" },
  refusals(neutral),
  `${Math.round(others * 100)} %`,
  attacked.answers
]

/** The figures of an attack in one line, for whoever waits for the rest. */
export const summary = (observation: Observation): string => row(observation).map(Format.cell).join("  ")

export const table = (title: string, observations: ReadonlyArray<Observation>): MeasurementTable => ({
  title,
  note:
    "Hold: the event loop of the server does nothing else, without waiting for a processor. Neutral: another caller. Other programs: what they take of one processor; if it is much, repeat the run.",
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
    "answers to the attacker"
  ],
  rows: observations.map(row)
})

/** The facts that hold however busy the machine is. */
const facts = ({ attack, attacked, neutral, server, survived }: Observation): ReadonlyArray<Goal> => [
  Bound.holds(`${attack}: the server serves on`, survived, survived ? "yes" : "no"),
  Bound.none(`${attack}: 5xx other than 503`, attacked.forbidden),
  Bound.atMost(
    `${attack}: peak memory`,
    server.peakMemory / MEBIBYTE,
    LIMITS.peakMemoryMegabytes,
    "MiB"
  ),
  Bound.none(
    `${attack}: answers other than 200 to the neutral caller`,
    refusals(neutral) === "" ? [] : [refusals(neutral)]
  ),
  ...attacked.bounds
]

const timings = ({ attack, neutral, server }: Observation, before: Observation): ReadonlyArray<Goal> => [
  Bound.atMost(`${attack}: hold of the event loop, p99.9`, server.holdP999, LIMITS.holdP999Millis, "ms"),
  Bound.atMost(
    `${attack}: longest hold, processor time`,
    server.longestProcessorTime,
    LIMITS.longestHoldMillis,
    "ms"
  ),
  Bound.atMost(
    `${attack}: neutral p99 against quiet`,
    p99(neutral) / Math.max(LEAST_QUIET_P99_MILLIS, p99(before.neutral)),
    LIMITS.neutralRatio,
    "×"
  )
]

/** The bounds that an attack is held to. */
export const bounds = (
  { short }: Assignment,
  before: Observation,
  observation: Observation
): ReadonlyArray<Goal> => [...facts(observation), ...(short ? [] : timings(observation, before))]
