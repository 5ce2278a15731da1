import type { LocalPostgres } from "@community-messaging/local-postgres/LocalPostgres"
import { Array as Arrays, Effect, Random } from "effect"
import { query } from "../../postgres/Query.ts"
import * as Fleet from "./Fleet.ts"

/** A server is killed, some connections are ended by the database, or the database crashes. */
export type Disruption = "kill" | "cut" | "crash"

/** The number of kills for each crash of the database. */
const KILLS_PER_CRASH = 4

/** As many cuts as kills, and some crashes, in random order. */
export const draw = (kills: number) =>
  Random.shuffle(Arrays.flatten([
    Arrays.replicate<Disruption>("kill", kills),
    Arrays.replicate<Disruption>("cut", kills),
    Arrays.replicate<Disruption>("crash", Math.ceil(kills / KILLS_PER_CRASH))
  ])).pipe(Effect.map(Arrays.fromIterable))

/** The disruptions of the servers and of the database. */
export interface Damage {
  kills: number
  backends: number
  crashes: number
}

/** Ends some of the connections to the database of that URL, each with one chance in two. */
const cut = (url: string) =>
  Effect.gen(function*() {
    const backends = yield* query(
      url,
      `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY pid`
    )
    const chosen = yield* Effect.filter(backends, () => Random.nextBoolean)
    const pids = chosen.map(({ pid }) => Number(pid))
    yield* query(url, `SELECT pg_terminate_backend(pid) FROM unnest(ARRAY[${pids.join(",")}]::int[]) AS pid`)
    return pids.length
  })

/** Performs the disruption. A kill is over when the server listens again, a crash when the database does. */
export const perform = (
  disruption: Disruption,
  { database, postgres, servers }: {
    readonly servers: Arrays.NonEmptyReadonlyArray<Fleet.FleetServer>
    readonly postgres: LocalPostgres
    readonly database: string
  },
  damage: Damage
) =>
  Effect.gen(function*() {
    switch (disruption) {
      case "kill":
        yield* Effect.flatMap(Fleet.any(servers), ({ kill }) => kill)
        damage.kills += 1
        return
      case "cut":
        damage.backends += yield* cut(database)
        return
      case "crash":
        yield* postgres.outage(Effect.void)
        damage.crashes += 1
    }
  })
