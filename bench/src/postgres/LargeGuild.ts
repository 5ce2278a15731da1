import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Redacted } from "effect"
import { join } from "node:path"
import { Client } from "pg"
import { inTurn } from "../report/InTurn.ts"
import type { RunOptions } from "../report/Measurement.ts"
import { median } from "../report/Statistics.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import { create } from "../search/community/Community.ts"
import * as Guilds from "../search/community/Guilds.ts"
import { store } from "../search/community/Store.ts"
import { drawAll, type DrawnClass } from "../search/DrawnQueries.ts"
import type { SearchedGuild } from "../search/index-cost/Restart.ts"
import { QUERY_CLASSES } from "../search/QueryClasses.ts"
import * as SearchRounds from "../search/SearchRounds.ts"
import * as MemberSearchSubject from "../search/subject/MemberSearchSubject.ts"
import * as UnreadPages from "../search/UnreadPages.ts"
import * as StoredCommunity from "./StoredCommunity.ts"

const COMMUNITY_SEED = 4
const QUERY_SEED = 7

const PLAN = {
  quick: { members: 10_000, queries: 3, exercises: 5, rounds: 4, millisPerClass: 30, atLeast: 2, unread: 20 },
  full: { members: 1_000_000, queries: 4, exercises: 40, rounds: 30, millisPerClass: 150, atLeast: 2, unread: 400 }
} as const

/** The subjects, by name. */
export const SUBJECT = { postgres: "PostgreSQL", sqlite: "SQLite" } as const

/** The figures. */
export interface MeasuredGuild {
  readonly members: number
  /** From the start of the service to the first exact answer, in milliseconds. */
  readonly firstAnswer: { readonly postgres: number; readonly sqlite: number }
  /** The time of an empty statement, in milliseconds. */
  readonly roundTrip: number
  readonly classes: ReadonlyArray<SearchRounds.MeasuredClass>
  /** The times of searches whose page is read from the storage, by subject, in milliseconds. */
  readonly unread: ReadonlyMap<string, ReadonlyArray<number>>
}

const ROUND_TRIPS = 500

/** The median time of an empty statement, in milliseconds. */
const roundTrip = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const taken = await inTurn(Array.from({ length: ROUND_TRIPS }), async () => {
    const begin = performance.now()
    await client.query({ name: "nothing", text: "SELECT 1" })
    return performance.now() - begin
  })
  await client.end()
  return median(taken)
}

interface Stored {
  readonly guild: SearchedGuild
  readonly drawn: ReadonlyArray<DrawnClass>
}

/** Stores the community in both, and releases its objects, so that garbage collection does not disturb the searches. */
const prepare = async (
  { members, queries }: { readonly members: number; readonly queries: number },
  url: string,
  filename: string,
  log: RunOptions["log"]
): Promise<Stored> => {
  log(`a guild of ${members.toLocaleString("en")} members: generating it`)
  const stored = store({ filename, members, seed: COMMUNITY_SEED, smallGuilds: 0, smallGuild: 0 })
  const community = create(members, COMMUNITY_SEED)
  const large = Guilds.large(community)
  const drawn = drawAll(QUERY_CLASSES, community, queries, QUERY_SEED)
  log("storing it")
  await StoredCommunity.write(url, large)
  await stored
  return { guild: { guildId: large.guildId, ownerId: large.ownerId }, drawn }
}

/** Searches a large guild on PostgreSQL beside the same one on SQLite, each from a service that has just been started. */
export const run = (url: string, { calibrate, log, quick }: RunOptions): Promise<MeasuredGuild> =>
  TemporaryDirectory.use(async (directory) => {
    const plan = PLAN[quick ? "quick" : "full"]
    const filename = join(directory, "service.db")
    const { drawn, guild } = await prepare(plan, url, filename, log)
    calibrate()
    log("starting the service on PostgreSQL")
    const postgres = await MemberSearchSubject.start(
      SUBJECT.postgres,
      StoragePostgres.layer({ url: Redacted.make(url) }),
      guild
    )
    log(`first exact answer after ${(postgres.firstAnswer / 1000).toFixed(1)} s; starting the service on SQLite`)
    const sqlite = await MemberSearchSubject.start(SUBJECT.sqlite, StorageSqlite.layer({ filename }), guild)
    const subjects = [postgres.subject, sqlite.subject]
    try {
      log("warming up")
      await SearchRounds.exercise(drawn, subjects, plan.exercises)
      const classes = await SearchRounds.measure(drawn, subjects, plan, (name) => {
        log(`searching: ${name}`)
        calibrate()
      })
      return {
        members: plan.members,
        firstAnswer: { postgres: postgres.firstAnswer, sqlite: sqlite.firstAnswer },
        roundTrip: await roundTrip(url),
        classes,
        unread: await UnreadPages.measure(subjects, plan.members, plan.unread)
      }
    } finally {
      await inTurn(subjects, ({ close }) => close())
    }
  })
