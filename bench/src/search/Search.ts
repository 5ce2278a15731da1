import { join } from "node:path"
import { inTurn } from "../report/InTurn.ts"
import type { Part, PartResult, RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import { disagreements } from "./Agreement.ts"
import { type Community, create } from "./community/Community.ts"
import * as Guilds from "./community/Guilds.ts"
import * as ServiceDatabase from "./community/ServiceDatabase.ts"
import type { StoredGuild } from "./community/ServiceDatabase.ts"
import { drawAll, type DrawnClass } from "./DrawnQueries.ts"
import * as ChangeThroughPorts from "./index-cost/ChangeThroughPorts.ts"
import * as IndexItself from "./index-cost/IndexItself.ts"
import * as IndexReport from "./index-cost/IndexReport.ts"
import { restart } from "./index-cost/Restart.ts"
import { FULL, type Plan, QUICK, SMALL_GUILD } from "./Plan.ts"
import { QUERY_CLASSES } from "./QueryClasses.ts"
import * as SearchReport from "./SearchReport.ts"
import * as SearchRounds from "./SearchRounds.ts"
import * as PostgresServer from "./subject/PostgresServer.ts"
import type { PostgresConnection } from "./subject/PostgresServer.ts"
import * as SqliteMembers from "./subject/SqliteMembers.ts"
import { withSubjects } from "./Subjects.ts"

const COMMUNITY_SEED = 4
const QUERY_SEED = 7

/** Queries with their right answers; the answers of a small community are held to the specification itself. */
const drawQueries = (community: Community, plan: Plan): ReadonlyArray<DrawnClass> => {
  const drawn = drawAll(QUERY_CLASSES, community, plan.queriesPerClass, QUERY_SEED)
  const wrong = disagreements(community, drawn, plan.heldToSpecification)
  if (wrong.length > 0) {
    throw new Error(`The benchmark's own answers are not those of the specification: ${wrong.join("; ")}`)
  }
  return drawn
}

/** Everything at one number of members, from one community and one database of the service. */
const measureSize = (plan: Plan, postgres: PostgresConnection | undefined, options: RunOptions) =>
  TemporaryDirectory.use(async (directory) => {
    const log = (line: string) => options.log(`${plan.members.toLocaleString("en")} members: ${line}`)
    log("making up the community")
    const community = create(plan.members, COMMUNITY_SEED)
    const large = Guilds.large(community)
    const small = Guilds.small(community, plan.smallGuilds, SMALL_GUILD)
    const serviceFile = join(directory, "service.db")
    await ServiceDatabase.write(serviceFile, community.members, [large, ...small])

    log("starting the service")
    const asked = ({ guildId, ownerId }: StoredGuild) => ({ guildId, ownerId })
    const firstStart = await restart({ filename: serviceFile, large: asked(large), small: small.map(asked) })
    const warmStart = await restart({ filename: serviceFile, large: asked(large), small: [] })
    options.calibrate()
    log("building and changing the index")
    const itself = IndexItself.measure(community, plan.changes)
    options.calibrate()

    log("drawing queries")
    const drawn = drawQueries(community, plan)
    const places = { directory, serviceFile, postgres, inMemory: plan.inMemory }
    const classes = await withSubjects(
      community,
      places,
      log,
      (subjects) =>
        SearchRounds.measure(drawn, subjects, plan, (name) => {
          log(`searching: ${name}`)
          options.calibrate()
        })
    )

    log("changing members of the service")
    const ports = await ChangeThroughPorts.measure(serviceFile, large, plan.durableChanges)
    return { cost: { itself, ports, firstStart, warmStart }, search: { members: plan.members, classes } }
  })

/** PostgreSQL, or why there is none. */
const connectPostgres = async (directory: string): Promise<PostgresConnection | string> => {
  try {
    return await PostgresServer.connect(directory)
  } catch (error) {
    return `not measured: ${String(error).split("\n", 1).join("")}`
  }
}

const measureAll = async (options: RunOptions, found: PostgresConnection | string): Promise<PartResult> => {
  const postgres = typeof found === "string" ? undefined : found
  const sizes = await inTurn(options.quick ? QUICK : FULL, (plan) => measureSize(plan, postgres, options))
  const largest = sizes.slice(-1)
  const searches = sizes.map(({ search }) => search)
  return {
    title: "Member search",
    facts: [
      ["SQLite of LIKE and FTS5", SqliteMembers.version()],
      ["PostgreSQL", typeof found === "string" ? found : found.version]
    ],
    tables: [...searches.map(SearchReport.table), IndexReport.table(sizes.map(({ cost }) => cost))],
    goals: [
      SearchReport.correctness(searches),
      ...largest.flatMap(({ cost, search }) => [...SearchReport.goals(search), ...IndexReport.goals(cost)])
    ],
    charts: largest.map(({ search }) => SearchReport.chart(search))
  }
}

/**
 * Member search by class of query at several numbers of members, against what else could do it, and what the index costs.
 * Goals are of the largest number.
 */
export const run: Part = (options) =>
  // PostgreSQL has a directory by itself: another user would not reach one inside of a directory of root's alone.
  TemporaryDirectory.use(async (directory) => {
    const found = await connectPostgres(directory)
    try {
      return await measureAll(options, found)
    } finally {
      if (typeof found !== "string") await found.close()
    }
  })
